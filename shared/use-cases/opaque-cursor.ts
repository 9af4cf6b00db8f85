import { createHash } from "node:crypto";

/** The number of characters of a digest. */
export const DIGEST = 11;

/** A short name of a text: 64 bits of its digest. */
export const digestOf = (text: string): string =>
  createHash("sha256").update(text).digest().subarray(0, 8).toString("base64url");

/** A short name of a list's filters. Undefined members do not count. */
export function digestOfFilters(filters: object): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return digestOf(JSON.stringify(given.toSorted(([one], [other]) => (one < other ? -1 : 1))));
}

/**
 * The text with which a reader continues in a list. It gives no rights. It names a place in one of the caller's own lists, and is read only
 * together with the filters that it was made for.
 */
export const opaque = (content: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(content)).toString("base64url");

/** The content of such a text, which its list must check. Undefined if it has none. */
export function contentIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined; // not a cursor
  }
}
