import type { Booking } from "../../domain/booking.ts";
import { dayOf } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { Needs } from "../needs.ts";

export type RecordBookingsDeps = Needs<"bookings">;

/**
 * Adds the bookings of one change and business day to the books. Repeating the call has no effect. If their business day is closed, they
 * are booked under the first open day from today on. Throws `Conflict` if another booking of the terminal was added first.
 */
export async function recordBookings(
  { bookings }: RecordBookingsDeps,
  { now }: Pick<CallContext, "now">,
  made: readonly Booking[],
): Promise<"done"> {
  await bookings.record(made, dayOf(now()));
  return "done";
}
