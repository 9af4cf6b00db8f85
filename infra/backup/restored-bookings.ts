import { bookingRecord, type Booking } from "../../shared/domain/booking.ts";
import { effectId } from "../../shared/domain/effects.ts";
import { after, type Instant } from "../../shared/domain/time.ts";
import type { Command } from "../../shared/ports/commands.ts";
import { BOOKING_PREFIX, LATE_BOOKING_PREFIX } from "../../shared/tables/keys.ts";
import { fromRow } from "../../shared/tables/record.ts";
import type { PlainRow } from "./exported-row.ts";
import { withoutEtag } from "./read-payment.ts";

/** The bookings of the export's last day that exported commands hold, by their names: whether the command marks them as done. */
export type BookingsPlan = Map<string, "done" | "undone">;

/** A process's clock may be wrong by so much. */
const WRONG_CLOCK_SECONDS = 24 * 3600;
const isRecent = ({ at }: Booking, begunAt: Instant): boolean => at >= after(begunAt, -WRONG_CLOCK_SECONDS);

/** Adds the bookings of a payment's commands to the plan. `begunAt`: when the export began. */
export function planBookings(plan: BookingsPlan, commands: readonly Omit<Command, "etag">[], begunAt: Instant): void {
  for (const command of commands)
    for (const effect of command.effects) {
      if (effect.kind !== "booking") continue;
      const state = command.done.includes(effectId(effect)) ? "done" : "undone";
      for (const booking of effect.bookings) if (isRecent(booking, begunAt)) plan.set(nameOf(booking), state);
    }
}

/**
 * The rows of a day without the bookings that may not stay: a change that came after its payment was exported is lost. Whatever an exported
 * command marks as done was written before, and is here. What it does not mark is booked again by its worker: without effect where it stands
 * under its own day, which so stays as it was closed. A late one has its note in another partition, of another moment, and is left out.
 */
export const bookingRows = (rows: readonly PlainRow[], plan: BookingsPlan, begunAt: Instant): readonly PlainRow[] =>
  rows.filter((row) => {
    if (![BOOKING_PREFIX, LATE_BOOKING_PREFIX].some((prefix) => row.rowKey.startsWith(prefix))) return true;
    const booking = fromRow(withoutEtag(row), bookingRecord);
    if (!isRecent(booking, begunAt)) return true;
    const state = plan.get(nameOf(booking));
    return state === "done" || (state === "undone" && booking.bookedOn === undefined);
  });

const nameOf = ({ partnerId, sessionId, sequence, number }: Booking): string =>
  [partnerId, sessionId, sequence, number].join(" ");
