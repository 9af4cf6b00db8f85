import * as z from "zod";
import { minorUnits } from "./minor-units.ts";
import type { RecordOf } from "./record.ts";
import { after, day, dayOf, instant, type Day, type Instant } from "./time.ts";

/**
 * Why money moved. `capture`: the merchant got the money of a charge. `refund`: a part of it was given back at the partner's request.
 * `reversal`: a charge that its payment does not want was given back. `correction`: an operator recorded what the acquirer's books say.
 */
export const bookingKinds = ["capture", "refund", "reversal", "correction"] as const;
export type BookingKind = (typeof bookingKinds)[number];

/** From the merchant's side: a credit brings money, a debit takes it. Only a correction can be either. */
export const bookingDirections = ["credit", "debit"] as const;
export type BookingDirection = (typeof bookingDirections)[number];

/**
 * The card and the acquirer's references of a movement. The authorisation code and the RRN are the movement's own. The others are the
 * charge's if the report of the movement had none.
 */
const bookingEvidenceRecord = z.object({
  brand: z.string().optional(),
  last4: z.string().optional(),
  authorisationCode: z.string().optional(),
  rrn: z.string().optional(),
  tid: z.string().optional(),
  mid: z.string().optional(),
});
export interface BookingEvidence extends RecordOf<typeof bookingEvidenceRecord> {}

/**
 * One movement of money of a payment. It is written once, with the change that moved the money, and never changes. Identifiers
 * are in lower case. `asReceived` holds them as their caller spelled them.
 */
export const bookingRecord = z.object({
  partnerId: z.string(),
  terminalId: z.string(),
  merchantId: z.string(),
  sessionId: z.string(),
  asReceived: z.object({
    sessionId: z.string(),
    merchantId: z.string(),
    terminalId: z.string(),
    refundId: z.string().optional(),
  }),
  /** The sequence of the payment's change that moved the money, and the number of the booking within it, from 1. */
  sequence: z.int(),
  number: z.int(),
  /** The day that the terminal named, or the operator for a correction. If no day was named, it is the UTC day of the change. */
  businessDay: day,
  /** The day under which it is booked instead, because its business day was closed when it came. */
  bookedOn: day.optional(),
  kind: z.enum(bookingKinds),
  /**
   * How the terminal counted a correction on its business day, if the operator named that day. `count` is below zero if the correction is
   * undone, and 0 if the booking only changes the amount of a movement that is booked. A reported movement has it only then.
   */
  counted: z.object({ kind: z.enum(["capture", "refund", "reversal"]), count: z.int() }).optional(),
  direction: z.enum(bookingDirections),
  /** Minor units of the currency, above zero. */
  amount: minorUnits,
  /** The part of the amount that is tip. Absent if there is none. */
  tip: minorUnits.optional(),
  currency: z.string(),
  /** The charge. Absent if an operator resolved a payment as paid by a charge that no terminal has reported. */
  chargeId: z.string().optional(),
  refundId: z.string().optional(),
  orderId: z.string().optional(),
  paymentId: z.string().optional(),
  /** By this the movement is found in the acquirer's file. Absent for a correction. */
  evidence: bookingEvidenceRecord.optional(),
  /** When the platform recorded the change. */
  at: instant,
});
export interface Booking extends RecordOf<typeof bookingRecord> {}

/** The day whose file has the booking. */
export const fileDayOf = ({ businessDay, bookedOn }: Pick<Booking, "businessDay" | "bookedOn">): Day =>
  bookedOn ?? businessDay;

const DAY_SECONDS = 24 * 3600;

/** The day that is this number of days later, or earlier if the number is negative. */
export const dayAfter = (from: Day, days = 1): Day => dayOf(after(`${from}T00:00:00.000Z`, days * DAY_SECONDS));

/** Whether a terminal can have moved a payment's money on this day. Its local day may differ from the UTC day by one. */
export const isPossibleDay = (named: Day, now: Instant, { createdAt }: { readonly createdAt: Instant }): boolean =>
  named >= dayAfter(dayOf(createdAt), -1) && named <= dayAfter(dayOf(now));

/**
 * The business day of a change. An impossible day means a wrong clock, so the UTC day of the platform's clock is used. A report of money is
 * never refused because of its day.
 *
 * @param named the day that the terminal named, if any
 */
export const businessDayOf = (named: Day | undefined, now: Instant, payment: { readonly createdAt: Instant }): Day =>
  named !== undefined && isPossibleDay(named, now, payment) ? named : dayOf(now);

/** No booking is added to a day that is longer past. A booking for such a day is booked late. The limit is above any clock's error. */
const LONG_PAST_DAYS = 14;
export const isLongPast = (day: Day, today: Day): boolean => day < dayAfter(today, -LONG_PAST_DAYS);

/** A day is over in every time zone this long after it began. */
const OVER_SECONDS = 36 * 3600;
/** The file of a day is closed this many days after it, whether or not its terminals have closed theirs. */
const FILE_DAYS = 3;
/** A day that is longer past and has no booking gets none any more. This exceeds `LONG_PAST_DAYS` by more than any clock's error. */
const EMPTY_DAYS = 31;

/** When the closing of a day is looked at first: it is then over in every time zone. */
export const firstClosing = (of: Day): Instant => after(`${of}T00:00:00.000Z`, OVER_SECONDS);

/**
 * Whether the file of a day can be closed. `terminals`: it can once all its terminals have closed the day. `now`: its terminals' days are
 * closed with it. `nothing`: if the file is empty, nothing is ever added to it.
 */
export function closingOf(of: Day, now: Instant): "notYet" | "terminals" | "now" | "nothing" {
  if (of < dayAfter(dayOf(now), -EMPTY_DAYS)) return "nothing";
  if (now >= after(`${of}T00:00:00.000Z`, (FILE_DAYS + 1) * DAY_SECONDS)) return "now";
  return now >= firstClosing(of) ? "terminals" : "notYet";
}

/** The most lines of one answer, and those of a page if its request names no number. */
export const linesOfPage = { most: 5_000, usual: 1_000 } as const;
/** The most days of one list of settlements. */
export const MOST_SETTLEMENTS = 31;

/** The sum of one kind, direction and currency. */
export const bookingTotalRecord = bookingRecord
  .pick({ kind: true, direction: true, currency: true, amount: true, tip: true })
  .extend({ count: z.int() });
export interface BookingTotal extends RecordOf<typeof bookingTotalRecord> {}

/** The totals of bookings by currency, kind and direction, in that order. */
export const totalsOf = (bookings: readonly Booking[]): readonly BookingTotal[] =>
  sumOf(bookings.map((booking) => ({ ...booking, count: 1 })));

/** The sum of totals by currency, kind and direction, in that order. */
export function sumOf(parts: readonly BookingTotal[]): readonly BookingTotal[] {
  const totals = new Map<string, BookingTotal>();
  for (const { kind, direction, currency, amount, tip = 0, count } of parts) {
    const key = [currency, bookingKinds.indexOf(kind), direction].join(" ");
    const before = totals.get(key) ?? { kind, direction, currency, amount: 0, count: 0 };
    totals.set(key, {
      ...before,
      amount: before.amount + amount,
      tip: (before.tip ?? 0) + tip || undefined,
      count: before.count + count,
    });
  }
  return [...totals].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
}

/** The merchant's balance by these bookings, in minor units: credits less debits. The bookings must be of one currency. */
export const balanceOf = (bookings: readonly Pick<Booking, "direction" | "amount">[]): number =>
  bookings.reduce((sum, { direction, amount }) => sum + (direction === "credit" ? amount : -amount), 0);
