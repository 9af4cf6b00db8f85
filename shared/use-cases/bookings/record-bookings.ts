import type { Booking } from "../../domain/booking.ts";
import { dayOf } from "../../domain/time.ts";
import type { Bookings } from "../../stores/bookings.ts";
import type { CallContext } from "../../ports/clock.ts";

export interface RecordBookingsDeps {
  readonly bookings: Bookings;
}

/**
 * Adds the bookings of one change and business day to the books; again without effect. Where their business day is closed they are booked under the first open
 * day from today on. Throws `Conflict` when another booking of the terminal was first.
 */
export async function recordBookings(
  { bookings }: RecordBookingsDeps,
  { now }: Pick<CallContext, "now">,
  made: readonly Booking[],
): Promise<"done"> {
  await bookings.record(made, dayOf(now()));
  return "done";
}
