import { invalidField, type Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
import { after, dayOf, isDay, lacksOffset, momentOf, msBetween, type Instant } from "../../time.ts";
import type { PaymentState } from "./payment.ts";

/** Payments that were created at or after `from`, and before `before`. */
export interface TimeRange {
  readonly from: Instant;
  readonly before: Instant;
}

/** The filter of a partner's list of payments. Identifiers are in lower case. */
export interface PaymentQuery {
  /** Undefined for the UTC day of the first page. */
  readonly range?: TimeRange | undefined;
  readonly status?: PaymentState | undefined;
  readonly terminalId?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly orderId?: string | undefined;
}

/** The most days that one list covers. */
export const MOST_DAYS = 31;

const DAY_SECONDS = 24 * 3600;
const MOST_SECONDS = MOST_DAYS * DAY_SECONDS;

/** Why a text is neither a day (`2026-11-21`) nor a moment that the calendar has. Undefined if it is one of them. */
export function whyNoTime(text: string): string | undefined {
  if (isDay(text) || momentOf(text) !== undefined) return undefined;
  return lacksOffset(text)
    ? "has no offset: add Z or an offset such as +01:00"
    : "must be a day such as 2026-11-21, or a moment such as 2026-11-21T10:30:00Z";
}

/** The times as a caller names them. `whyNoTime` has nothing to say against `from` and `to`. */
interface NamedTimes {
  readonly day?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The range of the moment's UTC day. */
export const wholeDayOf = (moment: Instant): TimeRange => {
  const from = after(dayOf(moment), 0);
  return { from, before: after(from, DAY_SECONDS) };
};

/**
 * The range that a list covers: a day, or from one day or moment to another. A day is covered whole. The moment `to` itself is not covered.
 * Without `to` the range is 31 days, which is the most. Undefined if no time is named.
 */
export function rangeOf({ day, from, to }: NamedTimes): Result<TimeRange | undefined, Refusal<"validation_failed">> {
  if (day !== undefined && (from !== undefined || to !== undefined))
    return refuse(invalidField("day", "invalid", "must not be given together with from or to"));
  if (day !== undefined) return ok(wholeDayOf(day));
  if (from === undefined)
    return to === undefined
      ? ok(undefined)
      : refuse(invalidField("to", "invalid", "must be given together with `from`"));
  const begin = beginOf(from);
  const before = to === undefined ? after(begin, MOST_SECONDS) : after(beginOf(to), isDay(to) ? DAY_SECONDS : 0);
  const range = { from: begin, before };
  return isListable(range)
    ? ok(range)
    : refuse(invalidField("to", "out_of_range", `must be after from, and at most ${MOST_DAYS} days later`));
}

const beginOf = (time: string): Instant => after(momentOf(time) ?? time, 0);

/** Whether a list may cover the range. It must end after it begins, and have 31 days at most. */
export function isListable({ from, before }: TimeRange): boolean {
  const ms = msBetween(from, before);
  return ms > 0 && ms <= MOST_SECONDS * 1_000;
}
