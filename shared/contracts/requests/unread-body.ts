import type { Problem } from "../objects/problem.ts";

/** A part of valid JSON that parsers may read in different ways. */
export interface Doubt {
  readonly kind: "inexact number" | "repeated name";
  /** The path of the member: names from the outermost member to its own. */
  readonly path: readonly string[];
}

/** Valid JSON with doubts. The first doubt is the reason of its rejection. */
export interface DoubtfulBody {
  readonly doubts: readonly Doubt[];
  /** The content as `JSON.parse` reads it. */
  readonly value: unknown;
  /**
   * The content without any guess. An inexact number is the text that was written. Each value of a repeated member is kept: the second
   * value of `amount` is the member `amount (2)`.
   */
  readonly asWritten: unknown;
}

/** A body that was rejected before its schema could read it. */
export interface UnreadBody {
  readonly problem: Problem;
  /** The request's `Content-Type`. Empty if it has none. */
  readonly contentType: string;
  /** The length of the body in bytes, as the request states it. Empty if it does not. */
  readonly length: string;
  /** The body. Undefined if it is too long or did not reach the app. */
  readonly bytes: Uint8Array | undefined;
  /** The body's content, if doubts about it are the only reason for the rejection. */
  readonly json: DoubtfulBody | undefined;
}
