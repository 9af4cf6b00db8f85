import type { Clock } from "../ports/clock.ts";

/** Lets work begin that the host need not take. */
export interface Turns {
  /** Runs the work when its turn comes. Resolves with undefined, and runs nothing, if it does not come in time. */
  take<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export interface TurnsOptions {
  /** Whether the host has more to do than it can. */
  readonly isBusy: () => boolean;
  /** How many of them a busy host does at a time. */
  readonly atOnce: number;
  /** The longest wait for a turn. */
  readonly waitMs: number;
  readonly clock: Pick<Clock, "sleep">;
}

/**
 * Turns that are free until the host is busy. From then on so few are taken at a time that the host has time for what it has begun: reports
 * of terminals, and the work of its queues.
 */
export function turnsWhile({ isBusy, atOnce, waitMs, clock }: TurnsOptions): Turns {
  const line: (() => void)[] = [];
  let running = 0;
  const isFree = () => running < atOnce || !isBusy();

  function next(): void {
    running--;
    while (line.length > 0 && isFree()) {
      running++;
      line.shift()?.();
    }
  }

  async function turn(): Promise<boolean> {
    if (line.length === 0 && isFree()) {
      running++;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const begin = () => resolve(true);
    line.push(begin);
    return Promise.race([promise, tooLate(begin)]);
  }

  async function tooLate(begin: () => void): Promise<boolean> {
    await clock.sleep(waitMs);
    const place = line.indexOf(begin);
    if (place >= 0) line.splice(place, 1);
    return place < 0;
  }

  return {
    async take(work) {
      if (!(await turn())) return undefined;
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}
