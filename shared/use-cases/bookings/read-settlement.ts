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
 * The bookings of a partner's day, as far as the key reaches its terminals. The first call after the day can be closed closes it: what was
 * read as closed never changes, and nothing else has to run for that. Throws `Unavailable`.
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

/** The file as it is; closed before it is read where that is due. Throws `Conflict` where a booking was added meanwhile. */
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

/** Nothing is ever added to an empty day that is so long past: it needs no row that says so. */
const isOfNothing = ({ bookings }: DayFile, date: Day, at: Instant): boolean =>
  closingOf(date, at) === "nothing" && bookings.length === 0;

/** In the order of a file: by time, and those of one moment by their keys. A day has thousands: the place of each is made once. */
const inOrder = (bookings: readonly Booking[]): Booking[] =>
  bookings
    .map((booking) => ({ booking, place: placeOf(booking) }))
    .toSorted((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ booking }) => booking);
const placeOf = ({ at, terminalId, sessionId, sequence, number }: Booking): string =>
  [at, terminalId, sessionId, String(sequence).padStart(6, "0"), number].join("~");
