import type { Clock } from "../ports/clock.ts";

/** Admits work that the host may decline. */
export interface Turns {
  /** Runs the work when its turn comes. If the turn does not come in time, nothing runs and the result is undefined. */
  take<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export interface TurnsOptions {
  /** Whether the host is overloaded. */
  readonly isBusy: () => boolean;
  /** How many pieces of work a busy host runs at a time. */
  readonly atOnce: number;
  /** The longest wait for a turn, in milliseconds. */
  readonly waitMs: number;
  readonly clock: Pick<Clock, "sleep">;
}

/**
 * Admits work without a limit until the host is busy. A busy host runs at most `atOnce` at a time. It then has time for work that it has
 * begun: terminals' reports and its queues.
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
