import type { Settlement } from "../../contracts/objects/settlement.ts";
import { closingOf, type Booking } from "../../domain/booking.ts";
import type { Day, Instant } from "../../domain/time.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { eachOf } from "../each-of.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Needs } from "../needs.ts";
import { closePartnerDay, type CloseDayDeps } from "./close-day.ts";

export type CloseAndReadSettlementDeps = CloseDayDeps & Needs<"bookings">;

/**
 * The bookings of a partner's day, for the terminals that the key reaches. The first call after the day can be closed closes it, so nothing
 * else has to run for that. Bookings that were read as closed never change. Throws `Unavailable`.
 */
export async function closeAndReadSettlement(
  deps: CloseAndReadSettlementDeps,
  { caller, now }: PartnerCall,
  date: Day,
): Promise<Settlement> {
  const { partnerId } = caller;
  const at = now();
  const closedAt = await retryOnConflict(() => closedIfDue(deps, { partnerId, date, at }));
  const terminals = await deps.partnerDays.terminals(partnerId, date);
  const reached = terminals.filter((terminalId) => reaches(caller, terminalId));
  const files = await eachOf(reached, (terminalId) => deps.bookings.ofFile({ terminalId, day: date }));
  // A day that is long past and was not closed just now has no bookings, and gets none.
  const isClosed = closedAt !== undefined || closingOf(date, at) === "nothing";
  return { date, isClosed, closedAt, bookings: inOrder(files.flat()) };
}

/** When the day was closed. If closing it is due, closes it now. Throws `Conflict` if it changed meanwhile. */
async function closedIfDue(
  deps: CloseAndReadSettlementDeps,
  { partnerId, date, at }: { readonly partnerId: string; readonly date: Day; readonly at: Instant },
): Promise<Instant | undefined> {
  const read = await deps.partnerDays.find(partnerId, date);
  if (read?.state === "closed") return read.closedAt;
  if (!read && closingOf(date, at) !== "now") return undefined;
  const isDue = read?.state === "closing" || (await mayClose(deps, { partnerId, date, at }));
  return isDue ? closePartnerDay(deps, partnerId, date, { read, at }) : undefined;
}

async function mayClose(
  { partnerDays, terminalDays }: CloseAndReadSettlementDeps,
  { partnerId, date, at }: { readonly partnerId: string; readonly date: Day; readonly at: Instant },
): Promise<boolean> {
  const closing = closingOf(date, at);
  if (closing !== "terminals") return closing !== "notYet";
  const terminals = await partnerDays.terminals(partnerId, date);
  const days = await eachOf(terminals, (terminalId) => terminalDays.find({ terminalId, day: date }));
  return days.every((day) => day?.closedAt !== undefined);
}

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
