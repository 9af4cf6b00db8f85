import type { Booking } from "../domain/booking.ts";
import type { Day, Instant } from "../domain/time.ts";

/** One terminal's business day in the books of its partner. */
export interface TerminalDayKey {
  readonly partnerId: string;
  readonly terminalId: string;
  readonly day: Day;
}

/** The bookings of one terminal's business day, as they were read. */
export interface TerminalBookings {
  /** Of this business day, the late ones included: those are booked under a later day. In the order of their keys. */
  readonly bookings: readonly Booking[];
  /** When the day was closed; undefined while bookings are still added to it. */
  readonly closedAt: Instant | undefined;
  /** The version that was read: `closeTerminal` with it fails once another booking was added. Undefined where there is none yet. */
  readonly etag: string | undefined;
}

/** The file of one partner's day, as it was read. */
export interface DayFile {
  /** Booked under this day, in the order of their keys. Of a closed day these are the same for ever. */
  readonly bookings: readonly Booking[];
  /** When the file was closed; undefined while bookings are still added to it. */
  readonly closedAt: Instant | undefined;
  /** The terminals of the day that are not closed, each with the version that was read. */
  readonly openTerminals: readonly { readonly terminalId: string; readonly etag: string }[];
  readonly etag: string | undefined;
}

/**
 * The books: each movement of money, by partner and business day. A day is closed terminal by terminal, and then as a whole. A booking and
 * the closing of its day are writes of one partition on each other's ETags: a booking is either there before the closing, or comes late.
 * Every method throws `Unavailable`.
 */
export interface Bookings {
  /**
   * Adds the bookings of one change, which are of one terminal and business day; again without effect. Where the day is closed they are
   * booked under the first open day from `today` on, with a note of that under their own. Throws `Conflict` when another booking of the
   * terminal was added meanwhile.
   */
  record(bookings: readonly Booking[], today: Day): Promise<void>;
  ofTerminal(key: TerminalDayKey): Promise<TerminalBookings>;
  ofDay(partnerId: string, day: Day): Promise<DayFile>;
  /**
   * Closes a terminal's day: what comes later is booked late. Throws `Conflict` when a booking was added since it was read. Without effect
   * where it is closed.
   */
  closeTerminal(key: TerminalDayKey, read: Pick<TerminalBookings, "etag">, at: Instant): Promise<void>;
  /** Closes a day all of whose terminals are closed. Throws `Conflict` when a terminal was added since it was read. */
  closeDay(partnerId: string, day: Day, read: Pick<DayFile, "etag">, at: Instant): Promise<void>;
}
