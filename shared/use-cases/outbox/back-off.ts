import { after, type Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import { Unavailable } from "../../ports/failures.ts";

/** The tenth try comes 511 s after the first: its dependency is not away for a moment. An operator is called at this one. */
export const AWAY_TRIES = 10;

/** A message that could not be seen to for now: when the broker took it, and the how-manieth try in vain this was. */
interface TriedInVain {
  readonly enqueuedAt: Instant;
  readonly tries: number;
}

/**
 * A dependency in trouble: a copy of the message is scheduled, 1 s doubling to 5 min, and this one is finished. A throw would
 * come back at once and be a dead letter within seconds; only when the bus takes nothing either it is thrown, after a while.
 */
export async function backOff(
  { clock }: { readonly clock: Clock },
  { enqueuedAt, tries }: TriedInVain,
  cause: Unavailable,
  schedule: (at: Instant) => Promise<void>,
): Promise<void> {
  try {
    await schedule(after(enqueuedAt, Math.min(300, 2 ** (tries - 1))));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    await clock.sleep(20_000);
    throw cause;
  }
}
