import { bookingRecord, fileDayOf, type Booking } from "../../../shared/domain/booking.ts";
import type { Day, Instant } from "../../../shared/domain/time.ts";
import { bookingRows } from "../../../shared/stores/bookings.ts";
import { BOOKING_PREFIX, bookingRow, LATE_BOOKING_PREFIX, terminalPartition } from "../../../shared/stores/keys.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import { dayRecord } from "../../../shared/stores/terminal-days.ts";
import type { PlainRow } from "./exported-row.ts";
import { isRecent } from "./last-day.ts";
import { sessionNameOf } from "./left-out.ts";
import { withoutEtag } from "./read-payment.ts";
import type { ImportPlan } from "./verified-plan.ts";

/**
 * The recent books of a terminal. The histories of its payments say what was booked, and in which file. So a booking that the export lacks
 * is written, and one whose change is lost leaves. Only bookings since shortly before the export began are judged. Older ones stay as they
 * are, because their payments may have been purged.
 */
export interface RestoredBooks {
  /** The closed days of the terminal. Their bookings stay, so that no file changes that was read as closed. */
  readonly closed: Set<Day>;
  readonly found: { readonly row: PlainRow; readonly booking: Booking }[];
  /** The bookings of the histories, and of payments that are left out, by their rows. */
  readonly made: Map<string, Booking>;
}

export const emptyBooks = (): RestoredBooks => ({ closed: new Set(), found: [], made: new Map() });

/** Keeps a recent booking until the histories are read. No history names those of a payment that is left out. False for any other row. */
export function takeBooking({ found, made }: RestoredBooks, row: PlainRow, { begunAt, leftOut }: ImportPlan): boolean {
  if (![BOOKING_PREFIX, LATE_BOOKING_PREFIX].some((prefix) => row.rowKey.startsWith(prefix))) return false;
  const booking = fromRow(withoutEtag(row), bookingRecord);
  if (!isRecent(booking.at, begunAt)) return false;
  found.push({ row, booking });
  if (leftOut.has(sessionNameOf(booking))) made.set(bookingRow(booking), booking);
  return true;
}

/** Adds the recent bookings of a payment's history. */
export function addHistory({ made }: RestoredBooks, history: readonly RecordedEntry[], begunAt: Instant): void {
  for (const { bookings = [] } of history)
    for (const booking of bookings) if (isRecent(booking.at, begunAt)) made.set(bookingRow(booking), booking);
}

/** The recent bookings of the terminal that the import writes, and their rows. */
export function restoredBookings({ closed, found, made }: RestoredBooks) {
  const kept = found.filter(({ booking }) => made.has(bookingRow(booking)) || closed.has(fileDayOf(booking)));
  const there = new Set(kept.map(({ row }) => row.rowKey));
  const derived = [...made.values()].flatMap((booking) =>
    bookingRows({ bookings: [booking], days: [] }).flatMap((operation) =>
      "columns" in operation ? { ...operation, partitionKey: terminalPartition(booking.terminalId) } : [],
    ),
  );
  const lacking = derived.filter(({ rowKey }) => !there.has(rowKey));
  return {
    bookings: [...kept.map(({ booking }) => booking), ...made.values()],
    rows: [...kept.map(({ row }) => row), ...lacking],
  };
}

/** The row of a terminal's day as the import writes it. An open day enters its partner's day again with its next booking. */
export function dayRow(row: PlainRow, { closed }: RestoredBooks): PlainRow {
  const day = fromRow(withoutEtag(row), dayRecord);
  if (day.closedAt !== undefined) {
    closed.add(row.rowKey.split("~")[1] ?? "");
    return row;
  }
  const { status } = row.columns;
  return { ...row, columns: toColumns({ ...day, isEntered: false }, status === undefined ? {} : { status }) };
}
