import * as z from "zod";

/** A moment in UTC, ISO 8601 with milliseconds and `Z`. It sorts as text, and is stored and sent in this form. */
export type Instant = string;

/** An instant in a record, checked when the record is read. */
export const instant = z.iso.datetime({ precision: 3 });
/** An instant in a record that is read as any text, because its rows were never checked for more. */
export const uncheckedInstant = z.string();

/** A day in UTC, `2026-11-21`. */
export type Day = string;

/** A day in a record, checked when the record is read. */
export const day = z.iso.date();

export const isDay = (text: string): text is Day => day.safeParse(text).success;

/** The UTC day of the moment. */
export const dayOf = (moment: Instant): Day => moment.slice(0, 10);

const DATE = String.raw`(?<date>\d{4}-\d\d-\d\d)`;
const CLOCK = String.raw`(?<minute>(?:[01]\d|2[0-3]):[0-5]\d):(?<second>[0-5]\d|60)(?:\.(?<ms>\d{1,3})(?<more>\d{0,6}))?`;
const OFFSET = String.raw`Z|(?<sign>[-+ ])(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d)`;
const moment = new RegExp(`^${DATE}[T ]${CLOCK}(?<offset>${OFFSET})?$`, "i");

/**
 * The moment that a time of RFC 3339 names, whatever language wrote it: with 0 to 9 decimals, any offset, and upper or lower case. A part of
 * a millisecond rounds up. A blank instead of the offset's sign is a `+` that a query has lost.
 *
 * @returns `no offset` if only the offset is missing; undefined for any other text
 */
export function momentOf(text: string): Instant | "no offset" | undefined {
  const {
    date = "",
    minute,
    second,
    ms = "",
    more = "",
    offset,
    sign,
    hours,
    minutes,
  } = moment.exec(text)?.groups ?? {};
  if (!isDay(date)) return undefined;
  if (offset === undefined) return "no offset";
  const utc = Date.parse(`${date}T${minute}:00.${ms.padEnd(3, "0")}Z`) + Number(second) * 1_000;
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === "-" ? -1 : 1);
  const found = new Date(utc - ahead + (/[1-9]/.test(more) ? 1 : 0)).toISOString();
  return /^\d{4}-/.test(found) ? found : undefined;
}

/** The moment that is this number of seconds later. */
export const after = (moment: Instant, seconds: number): Instant =>
  new Date(Date.parse(moment) + seconds * 1000).toISOString();

/** The UTC month of the moment, `2026-11`. */
export const monthOf = (moment: Instant): string => moment.slice(0, 7);

/** The UTC months from the month of the first moment to that of the last instant before the second moment. */
export function monthsBetween(from: Instant, before: Instant): string[] {
  const months: string[] = [];
  for (let month = monthOf(from); `${month}-01T00:00:00.000Z` < before; month = nextMonth(month)) months.push(month);
  return months;
}

/** Four days after the 28th is always a day of the next month. */
const nextMonth = (month: string): string => monthOf(after(`${month}-28T00:00:00.000Z`, 4 * 24 * 3600));

/** Milliseconds from the first moment to the second. Negative if the second is earlier. */
export const msBetween = (from: Instant, to: Instant): number => Date.parse(to) - Date.parse(from);

export const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
