import { type Booking, bookingRecord, dayAfter, fileDayOf, isLongPast } from "../domain/booking.ts";
import { type Day, type Instant, day, instant, later } from "../domain/time.ts";
import type { TerminalDayKey } from "../ports/subjects.ts";
import * as z from "zod";
import { Conflict } from "../ports/failures.ts";
import {
  BOOKED_DAYS_PARTITION,
  bookedDayRow,
  BOOKING_PREFIX,
  bookingRow,
  bookingsPartition,
  bookingsPrefix,
  DAY_ROW,
  DAY_TERMINAL_PREFIX,
  dayTerminalRow,
  lateBookingRow,
  lateBookingsPrefix,
} from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Position, Row, Rows } from "../ports/rows.ts";

/** The bookings of one terminal's business day, as they were read. */
export interface TerminalBookings {
  /**
   * The bookings of this business day, in the order of their keys. Late bookings are included, although they are booked under a later day.
   */
  readonly bookings: readonly Booking[];
  /** When the day was closed. Undefined while bookings are still added to it. */
  readonly closedAt: Instant | undefined;
  /** The version that was read. `closeTerminal` with it fails once another booking was added. Undefined if there is no version yet. */
  readonly etag: string | undefined;
}

/** The file of one partner's day, as it was read. */
export interface DayFile {
  /** The bookings under this day, in the order of their keys. Those of a closed day never change. */
  readonly bookings: readonly Booking[];
  /** When the file was closed. Undefined while bookings are still added to it. */
  readonly closedAt: Instant | undefined;
  /** The terminals of the day that are not closed, each with the version that was read. */
  readonly openTerminals: readonly { readonly terminalId: string; readonly etag: string }[];
  readonly etag: string | undefined;
}

/** A day of a partner. Its first booking of each terminal changes the row, so that the day is not closed at the same time. */
export const bookedDayRecord = z.object({ closedAt: instant.optional() });
/** A terminal's day. Each of its bookings changes the row, so that the day is not closed at the same time. */
export const bookedTerminalRecord = z.object({ terminalId: z.string(), closedAt: instant.optional() });
/** The name of a partner's day in the list of all such days. */
export const bookedDayEntryRecord = z.object({ partnerId: z.string(), day });

/** A day with at most this many terminals is read in one part. */
const TERMINALS_OF_PART = 8;
const MOST_PARTS = 4;

/** A row that is open or closed, as it was read. */
interface Head {
  readonly etag: string | undefined;
  readonly closedAt: Instant | undefined;
}

/** A late booking under its business day, as it was read. */
interface Note {
  readonly booking: Booking;
  readonly etag: string | undefined;
}

/**
 * Bookings in the table `Bookings`, one partition for a partner's day. A booking is inserted in one group with a write of its terminal's
 * row, on the ETag that was read. A closing writes the same row. So if a booking and a closing come at once, one of them fails.
 */
export function bookingsTable(rows: Rows) {
  return {
    /**
     * Adds the bookings of one change, which are of one terminal and business day. Adding them again has no effect. If the day is closed,
     * they are booked under the first open day from `today` on, with a note of that under their own day. Throws `Conflict` if another
     * booking of the terminal was added meanwhile.
     */
    async record(bookings: readonly Booking[], today: Day): Promise<void> {
      const [first] = bookings;
      if (!first) return;
      const { businessDay } = first;
      if ((await insertUnder(rows, businessDay, bookings, isLongPast(businessDay, today))) === "closed")
        await recordLate(rows, bookings, today);
    },
    async ofTerminal(key: TerminalDayKey): Promise<TerminalBookings> {
      const { partnerId, terminalId, day } = key;
      const partition = bookingsPartition(partnerId, day);
      const [own, ofDay] = await Promise.all([terminalHead(rows, partition, terminalId), dayHead(rows, partition)]);
      // Read after the terminal's row: a booking that is missing here has changed that row since.
      const [booked, late] = await Promise.all([
        rows.withPrefix(partition, bookingsPrefix(terminalId)),
        rows.withPrefix(partition, lateBookingsPrefix(terminalId)),
      ]);
      const bookings = [...booked, ...late].map(toBooking).filter(({ businessDay }) => businessDay === day);
      return { bookings, closedAt: own.closedAt ?? ofDay.closedAt, etag: own.etag };
    },
    async ofDay(partnerId: string, day: Day): Promise<DayFile> {
      const partition = bookingsPartition(partnerId, day);
      // Read before the bookings. If the day is closed here, all its bookings are there, and none is added.
      const [{ etag, closedAt }, terminalRows] = await Promise.all([
        dayHead(rows, partition),
        rows.withPrefix(partition, DAY_TERMINAL_PREFIX),
      ]);
      const terminals = terminalRows.map((row) => ({ ...fromRow(row, bookedTerminalRecord), etag: row.etag }));
      const openTerminals = terminals.filter((terminal) => terminal.closedAt === undefined);
      const bookings = await Promise.all(
        partsOfDay(terminals).map(async (part) => (await rows.after(partition, part, Infinity)).map(toBooking)),
      );
      return { bookings: bookings.flat(), closedAt, openTerminals, etag };
    },
    /**
     * Closes a terminal's day. A later booking is booked late. Throws `Conflict` if a booking was added since it was read. Does nothing if
     * the terminal has no row and the whole day is closed.
     */
    async closeTerminal(key: TerminalDayKey, read: Pick<TerminalBookings, "etag">, at: Instant): Promise<void> {
      const operations = await terminalWrite(rows, key, read.etag, at);
      if (operations) await rows.submit(bookingsPartition(key.partnerId, key.day), operations);
    },
    /** Closes a day whose terminals are all closed. Throws `Conflict` if a terminal was added since it was read. */
    async closeDay(partnerId: string, day: Day, read: Pick<DayFile, "etag">, at: Instant): Promise<void> {
      if (read.etag === undefined) await list(rows, partnerId, day);
      await rows.submit(bookingsPartition(partnerId, day), [write(DAY_ROW, { closedAt: at }, read.etag)]);
    },
  };
}

/**
 * The books: each movement of money, by partner and business day. A day is closed terminal by terminal, and then as a whole. A booking and
 * the closing of its day write to one partition on each other's ETags. So a booking is either there before the closing, or comes late.
 * Every method throws `Unavailable`.
 */
export type Bookings = ReturnType<typeof bookingsTable>;

const dayHead = async (rows: Rows, partition: string): Promise<Head> =>
  headOf(await rows.get(partition, DAY_ROW), bookedDayRecord);
const terminalHead = async (rows: Rows, partition: string, terminalId: string): Promise<Head> =>
  headOf(await rows.get(partition, dayTerminalRow(terminalId)), bookedTerminalRecord);

/** Lists a partner's day before anything is written to it, so that a purge finds it. */
async function list(rows: Rows, partnerId: string, day: Day): Promise<void> {
  try {
    await rows.submit(BOOKED_DAYS_PARTITION, [insert(bookedDayRow(partnerId, day), { partnerId, day })]);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}

/** The write of a terminal's row, and of the day's row if the terminal has none. Undefined if the day is closed. */
async function terminalWrite(
  rows: Rows,
  { partnerId, terminalId, day }: TerminalDayKey,
  etag: string | undefined,
  closedAt?: Instant,
): Promise<Operation[] | undefined> {
  const terminal = write(dayTerminalRow(terminalId), { terminalId, closedAt }, etag);
  if (etag !== undefined) return [terminal];
  const ofDay = await dayHead(rows, bookingsPartition(partnerId, day));
  if (ofDay.closedAt !== undefined) return undefined;
  if (ofDay.etag === undefined) await list(rows, partnerId, day);
  return [terminal, write(DAY_ROW, {}, ofDay.etag)];
}

/** Inserts the bookings under this day, unless they are there. `closed` if they are not there and the day is closed. */
async function insertUnder(
  rows: Rows,
  day: Day,
  bookings: readonly Booking[],
  isOver: boolean,
): Promise<"booked" | "closed"> {
  const [first] = bookings;
  if (!first) return "booked";
  const { partnerId, terminalId } = first;
  const partition = bookingsPartition(partnerId, day);
  const isThere = async () => (await rows.get(partition, bookingRow(first))) !== undefined;
  const { etag, closedAt } = await terminalHead(rows, partition, terminalId);
  const isClosed = isOver || closedAt !== undefined;
  const terminal = isClosed ? undefined : await terminalWrite(rows, { partnerId, terminalId, day }, etag);
  if (!terminal) return (await isThere()) ? "booked" : "closed";
  try {
    await rows.submit(partition, [...terminal, ...bookings.map((booking) => insert(bookingRow(booking), booking))]);
  } catch (error) {
    if (!(error instanceof Conflict) || !(await isThere())) throw error;
  }
  return "booked";
}

/**
 * Books what came after the closing of its day. A note under that day names the day of the booking, and is written first. After a crash, a
 * later delivery then books under the same day. The note is changed only if that day is closed too, without the booking.
 */
async function recordLate(rows: Rows, bookings: readonly Booking[], today: Day): Promise<void> {
  const read = await Promise.all(bookings.map((booking) => noteOf(rows, booking)));
  let notes = read.every(({ etag }) => etag !== undefined) ? read : await moved(rows, read, today);
  for (;;) {
    const late = notes.map(({ booking }) => booking);
    const [first] = late;
    if (!first || (await insertUnder(rows, fileDayOf(first), late, false)) === "booked") return;
    notes = await moved(rows, notes, today);
  }
}

async function noteOf(rows: Rows, booking: Booking): Promise<Note> {
  const { partnerId, businessDay } = booking;
  const row = await rows.get(bookingsPartition(partnerId, businessDay), lateBookingRow(booking));
  return row ? { booking: toBooking(row), etag: row.etag } : { booking, etag: undefined };
}

/** Moves the notes to the next day for their bookings, and writes them. */
async function moved(rows: Rows, notes: readonly Note[], today: Day): Promise<readonly Note[]> {
  const next = notes.map(({ booking, etag }): Note => {
    const bookedOn = later(today, dayAfter(fileDayOf(booking)));
    return { booking: { ...booking, bookedOn }, etag };
  });
  const [first] = next;
  if (!first) return [];
  const { partnerId, businessDay } = first.booking;
  await list(rows, partnerId, businessDay);
  const etags = await rows.submit(
    bookingsPartition(partnerId, businessDay),
    next.map(({ booking, etag }) => write(lateBookingRow(booking), booking, etag)),
  );
  return next.map(({ booking }, i) => ({ booking, etag: etags[i] }));
}

/**
 * The parts of a day's bookings that are read at the same time. Together they are the whole day, even if terminals were added since these
 * were read. A page of rows names the next page, so a single reader of a large day would wait for each page.
 */
function partsOfDay(terminals: readonly { readonly terminalId: string }[]): readonly Position[] {
  const prefixes = terminals.map(({ terminalId }) => bookingsPrefix(terminalId)).toSorted();
  const size = Math.max(TERMINALS_OF_PART, Math.ceil(prefixes.length / MOST_PARTS));
  const bounds = prefixes.filter((_, i) => i > 0 && i % size === 0);
  return [BOOKING_PREFIX, ...bounds].map((rowKey, i) => ({ prefix: BOOKING_PREFIX, rowKey, before: bounds[i] }));
}

const headOf = (row: Row | undefined, schema: z.ZodType<{ closedAt?: Instant | undefined }>): Head => ({
  etag: row?.etag,
  closedAt: row && fromRow(row, schema).closedAt,
});
const toBooking = (row: Row): Booking => fromRow(row, bookingRecord);

const insert = (rowKey: string, record: object): Operation => ({ kind: "insert", rowKey, columns: toColumns(record) });
/** Writes a row as it was read. Inserts it if there was none. */
const write = (rowKey: string, record: object, etag: string | undefined): Operation =>
  etag === undefined ? insert(rowKey, record) : { kind: "replace", rowKey, columns: toColumns(record), etag };
