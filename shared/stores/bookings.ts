import { type Booking, bookingRecord } from "../domain/booking.ts";
import type { Day } from "../domain/time.ts";
import type { Operation, Row, Rows } from "../ports/rows.ts";
import type { TerminalDayKey } from "../ports/subjects.ts";
import {
  bookingRow,
  bookingsPrefix,
  placeInFile,
  lateBookingRow,
  lateBookingsPrefix,
  terminalPartition,
} from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import { type StoredDay, touchedDay } from "./terminal-days.ts";

/** The bookings of a change with the days that the change writes for them. A change books all of them, or none. */
export interface Booked {
  readonly bookings: readonly Booking[];
  /** The file days and business days of the bookings, as they were read. */
  readonly days: readonly DayBooked[];
}

/** A day of a terminal to which a change books. */
export interface DayBooked {
  readonly day: Day;
  /** Undefined if the day has no row yet. */
  readonly read: StoredDay | undefined;
  /** The terminal is entered in its partner's day. */
  readonly isEntered: boolean;
}

/** The most rows that a table returns at once. */
const ROWS_AT_ONCE = 1_000;

/** Bookings in the table `Terminals`, each in the partition of its terminal. */
export const bookingsTable = (rows: Rows) => ({
  /**
   * The first bookings in the terminal's file of the day that come after this place, in the order of their keys. Those of a closed day
   * never change.
   *
   * @param place `placeInFile` of a booking; the beginning of the file without it
   */
  async ofFile(
    { terminalId, day }: Pick<TerminalDayKey, "terminalId" | "day">,
    { place = "", atMost = Infinity }: { readonly place?: string; readonly atMost?: number } = {},
  ): Promise<Booking[]> {
    const found: Booking[] = [];
    for (let last = place; found.length < atMost;) {
      const position = { prefix: bookingsPrefix(day), rowKey: bookingsPrefix(day) + last };
      const size = Math.min(atMost - found.length, ROWS_AT_ONCE);
      const more = (await rows.after(terminalPartition(terminalId), position, size)).map(toBooking);
      found.push(...more);
      const [end] = more.slice(-1);
      if (!end || more.length < size) break;
      last = placeInFile(end);
    }
    return found;
  },
  /** The bookings of this business day. Late ones are included, although they are in the file of a later day. */
  async ofBusinessDay({ terminalId, day }: Pick<TerminalDayKey, "terminalId" | "day">): Promise<Booking[]> {
    const prefixes = [bookingsPrefix(day), lateBookingsPrefix(day)];
    const found = await Promise.all(prefixes.map((prefix) => rows.withPrefix(terminalPartition(terminalId), prefix)));
    return found
      .flat()
      .map(toBooking)
      .filter(({ businessDay }) => businessDay === day);
  },
  /** Adds bookings without a change of their payment. Throws `Conflict` if one of the days changed since it was read. */
  async add(terminalId: string, booked: Booked): Promise<void> {
    await rows.submit(terminalPartition(terminalId), bookingRows(booked));
  },
});

/**
 * The books: each movement of money. A booking is written in the group of the change that moved the money, with its day's row on the ETag
 * that was read. So it cannot enter a closed day. Every method throws `Unavailable`.
 */
export type Bookings = ReturnType<typeof bookingsTable>;

/** The rows of bookings, for the group of their change. The row of each day is written once, also if nothing else of it changes. */
export const bookingRows = ({ bookings, days }: Booked): Operation[] => [
  ...bookings.map((booking) => inserted(bookingRow(booking), booking)),
  ...bookings.filter(({ bookedOn }) => bookedOn !== undefined).map((late) => inserted(lateBookingRow(late), late)),
  ...days.map(touchedDay),
];

const inserted = (rowKey: string, booking: Booking): Operation => ({
  kind: "insert",
  rowKey,
  columns: toColumns(booking),
});

const toBooking = (row: Row): Booking => fromRow(row, bookingRecord);
