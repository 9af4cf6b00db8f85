import { after, msBetween, type Instant } from "../../domain/time.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { Log } from "../../ports/log.ts";
import { loggedError } from "../../ports/logged-error.ts";
import type { Needs } from "../needs.ts";

/**
 * Failed tries after which an operator is called. The tenth try comes 511 s after the first, so a short outage does not call an operator.
 */
export const AWAY_FAILURES = 10;

/** A message that failed for now: the time when the broker enqueued it, and the number of failed tries, including this one. */
interface FailedDelivery {
  readonly enqueuedAt: Instant;
  readonly failures: number;
}

/**
 * How long a worker keeps a message while the bus does not accept a copy of it. The host renews the message's lock. The time is longer than
 * most outages, and within a function's time-out.
 */
export const KEPT_MS = 4 * 60_000;
export const PAUSE_MS = 5_000;

/** The dependencies of a back-off. */
export interface BackOffDeps extends Needs<"clock"> {
  readonly log: Pick<Log, "write">;
}

/** Milliseconds until the next try: 1 s, doubling up to 5 min. */
export const backOffMs = (failures: number): number => Math.min(300_000, 1_000 * 2 ** (failures - 1));

/**
 * Schedules a copy of the message, after 1 s doubling up to 5 min, and completes this one. An error would make the broker redeliver the
 * message at once, and it would become a dead letter within seconds. Throws `Unavailable` only if the bus accepts nothing for four minutes.
 */
export const backOff = (
  deps: BackOffDeps,
  { enqueuedAt, failures }: FailedDelivery,
  schedule: (at: Instant) => Promise<void>,
): Promise<void> => keepUntilTaken(deps, () => schedule(after(enqueuedAt, backOffMs(failures) / 1_000)));

/**
 * Repeats `schedule` while the bus is unavailable, and logs one line. Throws its `Unavailable` after four minutes, counting both the tries
 * and the pauses between them.
 */
export async function keepUntilTaken({ clock, log }: BackOffDeps, schedule: () => Promise<void>): Promise<void> {
  const began = clock.now();
  for (let paused = 0; ; paused += PAUSE_MS) {
    try {
      return await schedule();
    } catch (error) {
      const kept = Math.max(paused, msBetween(began, clock.now())); // the pauses, if the clock was set back
      if (!(error instanceof Unavailable) || kept >= KEPT_MS) throw error;
      if (paused === 0) log.write("messageHeld", { reason: error.dependency, ...loggedError(error) });
      await clock.sleep(PAUSE_MS);
    }
  }
}
