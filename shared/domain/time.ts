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
const CLOCK = String.raw`(?<minute>(?:[01]\d|2[0-3]):[0-5]\d):(?<second>[0-5]\d|60)(?:\.(?<decimals>\d{1,9}))?`;
const OFFSET = String.raw`(?:Z|(?<sign>[-+ ])(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d))`;
const rfc3339 = new RegExp(`^${DATE}[T ]${CLOCK}${OFFSET}$`, "i");

/**
 * The moment that a time of RFC 3339 names, whatever language wrote it: with 0 to 9 decimals, any offset, and upper or lower case. A part of
 * a millisecond rounds up. A blank instead of the offset's sign is a `+` that a query has lost. Undefined for any other text.
 */
export function momentOf(text: string): Instant | undefined {
  const { groups: { date = "", minute, second, decimals = "", ...offset } = {} } = rfc3339.exec(text) ?? {};
  if (!isDay(date)) return undefined;
  const ms = Math.ceil(Number(decimals.padEnd(9, "0")) / 1_000_000);
  const utc = Date.parse(`${date}T${minute}:00.000Z`) + Number(second) * 1_000 + ms - msAhead(offset);
  const found = new Date(utc).toISOString();
  return /^\d{4}-/.test(found) ? found : undefined;
}

/** The milliseconds by which an offset is ahead of UTC. Zero without one. */
function msAhead({ sign, hours = "0", minutes = "0" }: Readonly<Record<string, string | undefined>>): number {
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === "-" ? -ms : ms;
}

/** Whether a text is a time of RFC 3339 but for its offset. */
export const lacksOffset = (text: string): boolean =>
  momentOf(text) === undefined && momentOf(`${text}Z`) !== undefined;

/** The moment that is this number of seconds later. */
export const after = (moment: Instant, seconds: number): Instant =>
  new Date(Date.parse(moment) + seconds * 1000).toISOString();

/** Milliseconds from the first moment to the second. Negative if the second is earlier. */
export const msBetween = (from: Instant, to: Instant): number => Date.parse(to) - Date.parse(from);

export const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);
export const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
