import { after, dayOf, type Day, type Instant } from "./time.ts";

/** How long one kind of record stays. */
interface Retention {
  /** Days that it stays, unless the operator sets another number. */
  readonly days: number;
  /** The fewest days that the operator may set. */
  readonly least: number;
  /** The records that leave, and the moment from which their days are counted. */
  readonly leaves: string;
  /** Why the operator may not set fewer days. */
  readonly because: string;
}

const YEAR = 365.25;

/** The retention of records, by kind. */
export const retentionTable = {
  payments: {
    days: Math.ceil(7 * YEAR),
    least: 548,
    leaves:
      "A payment that has ended, with its commands, history, reports, attempts, messages to its terminal and its place in its order's list. The time counts from its last change. It stays while an effect is not carried out, or while an open alert names it.",
    because: "A card payment may be disputed for up to eighteen months.",
  },
  receipts: {
    days: 548,
    least: 30,
    leaves: "The receipts of payments. The time counts from the UTC day of the report that printed them.",
    because: "A customer may ask for a copy.",
  },
  actionRequests: {
    days: 397,
    least: 8,
    leaves:
      "An action request that has ended, with its commands, attempts and messages to its terminal. The time counts from its last change.",
    because: "The attempts of one webhook take about a week.",
  },
  tokenRequests: {
    days: 397,
    least: 2,
    leaves:
      "A token request that has ended, with its masked and hashed address, its token and the token's code. The time counts from its last change, from the token's last change, or from the token's last day. It stays while a payment has reserved the token.",
    because: "The same request within a day is a retry.",
  },
  terminalDays: {
    days: Math.ceil(7 * YEAR),
    least: 548,
    leaves:
      "A terminal's business day that is settled, with its closings, commands and attempts. The time counts from its last change. It stays while an effect is not carried out, or while an open alert names it.",
    because: "It has the terminal's totals of payments that may be disputed for up to eighteen months.",
  },
  events: {
    days: 35,
    least: 31,
    leaves:
      "The events of the partners' feeds, with their marks and the attempts to deliver them. The time counts from the event's entry in the feed. An attempt after that, by a replay, stays as long as its subject.",
    because: "An event of the last 30 days may be entered again if its mark is missing.",
  },
  idempotencyKeys: {
    days: 7,
    least: 7,
    leaves: "The `Idempotency-Key` of a request. The time counts from the day on which the request was sent.",
    because: "A caller may repeat a request for some days.",
  },
  alerts: {
    days: Math.ceil(7 * YEAR),
    least: 30,
    leaves: "An alert that is closed. The time counts from the last time that it was raised or closed.",
    because: "A terminal may raise the same alert again.",
  },
  bookings: {
    days: Math.ceil(10 * YEAR),
    least: Math.ceil(7 * YEAR),
    leaves: "The bookings of a partner's day. The time counts from that day.",
    because: "Bookings stay as long as their payments, and many laws require ten years.",
  },
} as const satisfies Readonly<Record<string, Retention>>;
export type RetentionKind = keyof typeof retentionTable;
export const retentionKinds = Object.keys(retentionTable) as readonly RetentionKind[];
export const isRetentionKind = (word: string): word is RetentionKind => Object.hasOwn(retentionTable, word);

const DAY_SECONDS = 86_400;

/** The moment that is this number of days ago. An older record has had its days. */
export const daysBefore = (now: Instant, days: number): Instant => after(now, -days * DAY_SECONDS);

/** The days from the first (inclusive) to the last (exclusive). */
export function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let day = first; day < last; day = nextDay(day)) days.push(day);
  return days;
}

const nextDay = (day: Day): Day => dayOf(after(`${day}T00:00:00.000Z`, DAY_SECONDS));
