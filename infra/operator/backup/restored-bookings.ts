import { effectId } from "../../../shared/domain/effects.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import type { PlainRow } from "./exported-row.ts";
import { bookingIn, isRecent, nameOfBooking } from "./last-day.ts";

/** The bookings of the export's last day in exported commands, by name, and whether the command marks them as done. */
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
 * Removes the bookings that may not stay from the rows of a day. If a change came after its payment was exported, the change is lost, and
 * so is its booking.
 * A booking that a restored command marks as done stays. The worker books all others again. This has no effect on a booking under its own
 * day, so that day stays as it was closed. A late booking is left out, because its note is in another partition, of another moment.
 */
export const bookingRows = (rows: readonly PlainRow[], plan: BookingsPlan, begunAt: Instant): readonly PlainRow[] =>
  rows.filter((row) => {
    const booking = bookingIn(row);
    if (!booking || !isRecent(booking.at, begunAt)) return true;
    const state = plan.get(nameOfBooking(booking));
    return state === "done" || (state === "undone" && booking.bookedOn === undefined);
  });
