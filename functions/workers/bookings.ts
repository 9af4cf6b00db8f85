import { queueWorker } from "../../shared/queues/queue-worker.ts";
import { recordBookings, type RecordBookingsDeps } from "../../shared/use-cases/bookings/record-bookings.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import { noteBooking, type CompareDayDeps } from "../../shared/use-cases/terminal-days/compare-day.ts";

/** Books the money movements of committed changes, and notes them in the terminal's day. */
export const bookings = queueWorker("bookings", {
  booking: async (deps: RecordBookingsDeps & CompareDayDeps, { call, effect }: Work<"booking">) => {
    for (const ofDay of Map.groupBy(effect.bookings, ({ businessDay }) => businessDay).values()) {
      await recordBookings(deps, call, ofDay);
      await noteBooking(deps, call, ofDay);
    }
    return "done" as const;
  },
});
