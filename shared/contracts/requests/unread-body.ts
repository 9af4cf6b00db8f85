import type { Problem } from "../objects/problem.ts";

/** A part of valid JSON that readers may take in different ways. */
export interface Doubt {
  readonly kind: "inexact number" | "repeated name";
  /** The names of the members around it, from the outermost to its own. */
  readonly path: readonly string[];
}

/** Valid JSON with doubts; the first is the reason of its refusal. */
export interface DoubtfulBody {
  readonly doubts: readonly Doubt[];
  /** The content as any parser reads it. */
  readonly value: unknown;
  /**
   * The content without a guess: an inexact number is the text that was written. Each value of a repeated member is kept: the second one of
   * `amount` is the member `amount (2)`.
   */
  readonly asWritten: unknown;
}

/** A body that was refused before its schema could read it. */
export interface UnreadBody {
  readonly problem: Problem;
  /** The request's `Content-Type`; empty if it has none. */
  readonly contentType: string;
  /** The bytes of the body, as the request counts them; empty if it does not. */
  readonly length: string;
  /** The body; undefined if it is too long, or did not come this far. */
  readonly bytes: Uint8Array | undefined;
  /** Its content, if only doubts about it are the reason. */
  readonly json: DoubtfulBody | undefined;
}
