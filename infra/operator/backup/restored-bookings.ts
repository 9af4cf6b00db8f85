import { effectId } from "../../../shared/domain/effects.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import type { PlainRow } from "./exported-row.ts";
import { bookingIn, isRecent, nameOfBooking } from "./last-day.ts";

/** The bookings of the export's last day that exported commands hold, by their names: whether the command marks them as done. */
export type BookingsPlan = Map<string, "done" | "undone">;

/** Adds the bookings of a payment's commands to the plan. */
export function planBookings(plan: BookingsPlan, commands: readonly Omit<Command, "etag">[], begunAt: Instant): void {
  for (const command of commands)
    for (const effect of command.effects) {
      if (effect.kind !== "booking") continue;
      const state = command.done.includes(effectId(effect)) ? "done" : "undone";
      for (const booking of effect.bookings) if (isRecent(booking.at, begunAt)) plan.set(nameOfBooking(booking), state);
    }
}

/**
 * The rows of a day without the bookings that may not stay: a change that came after its payment was exported is lost. A booking that a
 * restored command marks as done is here. The worker books each other one again: without effect where it stands under its own day, which so
 * stays as it was closed. A late one has its note in another partition, of another moment, and is left out.
 */
export const bookingRows = (rows: readonly PlainRow[], plan: BookingsPlan, begunAt: Instant): readonly PlainRow[] =>
  rows.filter((row) => {
    const booking = bookingIn(row);
    if (!booking || !isRecent(booking.at, begunAt)) return true;
    const state = plan.get(nameOfBooking(booking));
    return state === "done" || (state === "undone" && booking.bookedOn === undefined);
  });
