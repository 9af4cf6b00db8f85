import type { Clock } from "../../ports/clock.ts";

/** A call that waits: a terminal for its next message, a partner for its next event. */
export interface Poll {
  /** The poll must return now: its caller has begun newer ones, or the process is about to end. */
  isOver(): boolean;
  /** There may be a message: ends the present pause, or the next one before it begins. */
  wake(): void;
  /** Waits at most this number of milliseconds, until the poll is woken or over. True where it was woken. */
  pause(ms: number, clock: Pick<Clock, "sleep">): Promise<boolean>;
  end(): void;
}

/** The polls of one process. */
export interface Polls {
  /** Begins a poll of this caller, of whom so many wait at once: the newest ones. One more ends the oldest. */
  begin(caller: string, atOnce?: number): Poll;
  /** The process is about to end: all polls are over, present and future ones. */
  stop(): void;
}

/**
 * Remembers the newest polls of each caller. A terminal begins a poll when it has given up the one before, which the process learns in no
 * other way. A newer poll than may wait at once ends the oldest at once, so that a caller holds no more calls, however many it abandons.
 */
export function newestPolls(): Polls {
  const newest = new Map<string, readonly Poll[]>();
  let isStopping = false;
  return {
    begin(caller, atOnce = 1) {
      let isWoken = false;
      let endPause = (): void => {};
      const poll: Poll = {
        isOver: () => isStopping || newest.get(caller)?.includes(poll) !== true,
        wake() {
          isWoken = true;
          endPause();
        },
        async pause(ms, clock) {
          if (!isWoken && !poll.isOver())
            await Promise.race([clock.sleep(ms), new Promise<void>((resolve) => (endPause = resolve))]);
          const woken = isWoken;
          isWoken = false;
          return woken;
        },
        end() {
          const others = newest.get(caller)?.filter((one) => one !== poll) ?? [];
          if (others.length > 0) newest.set(caller, others);
          else newest.delete(caller);
        },
      };
      const all = [...(newest.get(caller) ?? []), poll];
      newest.set(caller, all.slice(-atOnce));
      for (const older of all.slice(0, -atOnce)) older.wake();
      return poll;
    },
    stop() {
      isStopping = true;
      for (const poll of [...newest.values()].flat()) poll.wake();
    },
  };
}
