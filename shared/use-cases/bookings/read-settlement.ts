import type { Settlement } from "../../contracts/objects/settlement.ts";
import { closingOf, type Booking } from "../../domain/booking.ts";
import type { Day, Instant } from "../../domain/time.ts";
import type { Bookings, DayFile } from "../../stores/bookings.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { eachOf } from "../each-of.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Needs } from "../needs.ts";

export type ReadSettlementDeps = Needs<"bookings">;

/**
 * The bookings of a partner's day, for the terminals that the key reaches. The first call after the day can be closed closes it, so nothing
 * else has to run for that. Bookings that were read as closed never change. Throws `Unavailable`.
 */
export async function readSettlement(
  { bookings }: ReadSettlementDeps,
  { caller, now }: PartnerCall,
  date: Day,
): Promise<Settlement> {
  const { partnerId } = caller;
  const at = now();
  const file = await retryOnConflict(() => closedIfDue(bookings, { partnerId, date, at }));
  const isClosed = file.closedAt !== undefined || isOfNothing(file, date, at);
  const reached = file.bookings.filter(({ terminalId }) => reaches(caller, terminalId));
  return { date, isClosed, closedAt: file.closedAt, bookings: inOrder(reached) };
}

/** Reads the day's file. If closing it is due, closes it and reads it again. Throws `Conflict` if a booking was added meanwhile. */
async function closedIfDue(
  bookings: Bookings,
  { partnerId, date, at }: { readonly partnerId: string; readonly date: Day; readonly at: Instant },
): Promise<DayFile> {
  const file = await bookings.ofDay(partnerId, date);
  const closing = closingOf(date, at);
  const isBooked = file.etag !== undefined;
  const isDue = closing === "now" || (isBooked && (closing === "nothing" || areClosed(file, closing)));
  if (file.closedAt !== undefined || !isDue) return file;
  await eachOf(file.openTerminals, ({ terminalId, etag }) =>
    bookings.closeTerminal({ partnerId, terminalId, day: date }, { etag }, at),
  );
  await bookings.closeDay(partnerId, date, file, at);
  return bookings.ofDay(partnerId, date);
}

const areClosed = ({ openTerminals }: DayFile, closing: ReturnType<typeof closingOf>): boolean =>
  closing === "terminals" && openTerminals.length === 0;

/** Whether the day is empty, and so long past that nothing is ever added to it. Such a day needs no row to show that it is closed. */
const isOfNothing = ({ bookings }: DayFile, date: Day, at: Instant): boolean =>
  closingOf(date, at) === "nothing" && bookings.length === 0;

/**
 * Sorts the bookings as a file lists them: by time, then by their keys. Each sort key is built once, because a day has thousands of
 * bookings.
 */
const inOrder = (bookings: readonly Booking[]): Booking[] =>
  bookings
    .map((booking) => ({ booking, place: placeOf(booking) }))
    .toSorted((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ booking }) => booking);
const placeOf = ({ at, terminalId, sessionId, sequence, number }: Booking): string =>
  [at, terminalId, sessionId, String(sequence).padStart(6, "0"), number].join("~");
