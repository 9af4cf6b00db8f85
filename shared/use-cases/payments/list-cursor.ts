import * as z from "zod";
import { isListable, type TimeRange } from "../../domain/payment/record/payment-query.ts";
import { contentIn, DIGEST, digestOfFilters, opaque } from "../opaque-cursor.ts";
import { MOST_SEEN, type Place } from "./page-of-payments.ts";

/** The version of the cursor format. A cursor of another version is refused. */
const FORM = 1;

const moment = z.iso.datetime({ precision: 3 });
/** A position or a moment. A position begins with a moment. */
const position = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z[\w~.:!-]{0,600}$/);
const seen = z
  .string()
  .regex(/^[\w-]*$/)
  .refine((text) => text.length % DIGEST === 0 && text.length / DIGEST <= MOST_SEEN);
const cursor = z.tuple([z.literal(FORM), z.string(), moment, moment, position, seen]);

/** The content of a cursor: the range of its list, and a place within it. */
export interface Cursor {
  readonly range: TimeRange;
  readonly place: Place;
}

/**
 * The text with which a reader continues in a list of payments.
 *
 * @param filters the filters of the list, the same for each of its pages
 */
export const writeCursor = ({ range, place }: Cursor, filters: object): string =>
  opaque([FORM, digestOfFilters(filters), range.from, range.before, place.position, place.seen.join("")]);

/** Reads a cursor; undefined if the text is not a cursor of this list. */
export function readCursor(text: string, filters: object): Cursor | undefined {
  const read = cursor.safeParse(contentIn(text));
  if (!read.success) return undefined;
  const [, digest, from, before, position, marks] = read.data;
  const range = { from, before };
  if (digest !== digestOfFilters(filters) || position < from || !isListable(range)) return undefined;
  return { range, place: { position, seen: marks.match(/.{11}/g) ?? [] } };
}
