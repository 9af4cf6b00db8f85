import * as z from "zod";
import { bookingTotalRecord, type BookingTotal } from "../../domain/booking.ts";
import { contentIn, digestOfFilters, opaque } from "../opaque-cursor.ts";

/** The place at which a reader continues in a settlement. */
export interface Place {
  /** Empty for the beginning. */
  readonly terminalId: string;
  /** The place after which the reader continues in the terminal's file. */
  readonly inFile: string;
  /** The totals of the lines before it. They are needed only while the day has no stored totals. */
  readonly totals: readonly BookingTotal[];
}

/** The version of the cursor format, and the name of its list. A cursor of another version or list is refused. */
const FORM = "settlement 1";

const { kind, direction, currency, amount, count } = bookingTotalRecord.shape;
const total = z.tuple([kind, direction, currency, amount, count]);
const name = z.string().regex(/^[\w~.:!-]{1,700}$/);
const cursor = z.tuple([z.literal(FORM), z.string(), name, name, z.array(total)]);

/** @param filters what decides the lines of the settlement, the same for each of its pages */
export const writePlace = ({ terminalId, inFile, totals }: Place, filters: object): string => {
  const sums = totals.map((one) => [one.kind, one.direction, one.currency, one.amount, one.count]);
  return opaque([FORM, digestOfFilters(filters), terminalId, inFile, sums]);
};

const BEGINNING: Place = { terminalId: "", inFile: "", totals: [] };

/** Reads a cursor. Without one it is the beginning. Undefined if the text is not a cursor of this settlement. */
export function readPlace(text: string | undefined, filters: object): Place | undefined {
  if (text === undefined) return BEGINNING;
  const { data } = cursor.safeParse(contentIn(text));
  if (data?.[1] !== digestOfFilters(filters)) return undefined;
  const [, , terminalId, inFile, sums] = data;
  const totals = sums.map(([kind, direction, currency, amount, count]) => ({
    kind,
    direction,
    currency,
    amount,
    count,
  }));
  return { terminalId, inFile, totals };
}
