import { createHash } from "node:crypto";
import * as z from "zod";
import { isListable, type TimeRange } from "../../domain/payment/record/payment-query.ts";
import { MOST_SEEN, type Place } from "./page-of-payments.ts";

/** The version of the cursor format. A cursor of another version is refused. */
const FORM = 1;
const MARK = 11;

const moment = z.iso.datetime({ precision: 3 });
/** A position or a moment. A position begins with a moment. */
const position = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z[\w~.:!-]{0,600}$/);
const seen = z
  .string()
  .regex(/^[\w-]*$/)
  .refine((text) => text.length % MARK === 0 && text.length / MARK <= MOST_SEEN);
const cursor = z.tuple([z.literal(FORM), z.string(), moment, moment, position, seen]);

/** The content of a cursor: the range of its list, and a place within it. */
export interface Cursor {
  readonly range: TimeRange;
  readonly place: Place;
}

/**
 * The text with which a reader continues in a list. It gives no rights. It names a place in one of the caller's own lists, and is read only
 * together with the filters that it was made for.
 *
 * @param filters the filters of the list, the same for each of its pages
 */
export function writeCursor({ range, place }: Cursor, filters: object): string {
  const content = [FORM, digestOf(filters), range.from, range.before, place.position, place.seen.join("")];
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

/** Reads a cursor; undefined if the text is not a cursor of this list. */
export function readCursor(text: string, filters: object): Cursor | undefined {
  const read = cursor.safeParse(jsonIn(text));
  if (!read.success) return undefined;
  const [, digest, from, before, position, marks] = read.data;
  const range = { from, before };
  if (digest !== digestOf(filters) || position < from || !isListable(range)) return undefined;
  return { range, place: { position, seen: marks.match(/.{11}/g) ?? [] } };
}

function digestOf(filters: object): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const inOrder = given.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(inOrder)).digest("base64url").slice(0, MARK);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined; // not a cursor
  }
}
