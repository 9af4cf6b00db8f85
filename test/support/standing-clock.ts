import { setImmediate as turn } from "node:timers/promises";
import { after, type Instant } from "../../shared/domain/time.ts";
import type { Clock } from "../../shared/ports/clock.ts";

interface Sleeper {
  readonly at: Instant;
  readonly wake: () => void;
}

/** A clock that stands still until a test moves it. Sleeping callers are woken in the order of their times. */
export interface StandingClock extends Clock {
  /** Lets all runnable code continue, then moves the clock from sleeper to sleeper. */
  pass(ms: number): Promise<void>;
}

export function standingClock(start: Instant): StandingClock {
  let now = start;
  let sleepers: readonly Sleeper[] = [];
  const wakeNext = async (until: Instant): Promise<boolean> => {
    await turn();
    const [first] = sleepers.toSorted((one, other) => (one.at < other.at ? -1 : 1));
    if (!first || first.at > until) return false;
    sleepers = sleepers.filter((sleeper) => sleeper !== first);
    if (first.at > now) now = first.at;
    first.wake();
    return true;
  };
  return {
    now: () => now,
    sleep: (ms) => new Promise((wake) => (sleepers = [...sleepers, { at: after(now, ms / 1_000), wake }])),
    async pass(ms) {
      const until = after(now, ms / 1_000);
      while (await wakeNext(until));
      now = until;
      await turn();
    },
  };
}
