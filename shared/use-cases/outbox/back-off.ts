import { after, type Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import { Unavailable } from "../../ports/failures.ts";

/** The tenth try comes 511 s after the first: its dependency is not away for a moment. An operator is called at this one. */
export const AWAY_FAILURES = 10;

/** A message that could not be seen to for now: when the broker took it, and the how-manieth try in vain this was. */
interface FailedDelivery {
  readonly enqueuedAt: Instant;
  readonly failures: number;
}

/** While the bus takes no copy, the worker keeps its message, whose lock the host renews: longer than most outages, within a function's time. */
const KEPT_MS = 4 * 60_000;
const PAUSE_MS = 5_000;

/**
 * A copy of the message is scheduled, 1 s doubling to 5 min, and this one is finished. A throw would come back at once and be a dead letter
 * within seconds. Throws `Unavailable` only when the bus takes nothing for four minutes.
 */
export const backOff = (
  { clock }: { readonly clock: Clock },
  { enqueuedAt, failures }: FailedDelivery,
  schedule: (at: Instant) => Promise<void>,
): Promise<void> => keepUntilTaken(clock, () => schedule(after(enqueuedAt, Math.min(300, 2 ** (failures - 1)))));

/** Schedules again and again while the bus is away; throws its `Unavailable` when that lasts. */
export async function keepUntilTaken(clock: Clock, schedule: () => Promise<void>): Promise<void> {
  for (let kept = 0; ; kept += PAUSE_MS) {
    try {
      return await schedule();
    } catch (error) {
      if (!(error instanceof Unavailable) || kept >= KEPT_MS) throw error;
      await clock.sleep(PAUSE_MS);
    }
  }
}
