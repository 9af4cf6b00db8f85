import { z } from "zod";

/** A moment in UTC, ISO 8601 with milliseconds and `Z`: it sorts as text, and is stored and sent as it is. */
export type Instant = string;

/** An instant in a record, checked when the record is read. */
export const instant = z.iso.datetime({ precision: 3 });
/** An instant in a record that is read as any text: its rows were never checked for more. */
export const uncheckedInstant = z.string();

/** A day in UTC, `2026-11-21`. */
export type Day = string;

/** A day in a record, checked when the record is read. */
export const day = z.iso.date();

/** The day in UTC that the moment is of. */
export const dayOf = (moment: Instant): Day => moment.slice(0, 10);

/** The moment so many seconds later. */
export const after = (moment: Instant, seconds: number): Instant =>
  new Date(Date.parse(moment) + seconds * 1000).toISOString();

/** Milliseconds from one moment to another; negative when the other is earlier. */
export const msBetween = (from: Instant, to: Instant): number => Date.parse(to) - Date.parse(from);

export const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
