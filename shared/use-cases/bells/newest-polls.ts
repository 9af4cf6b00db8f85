import type { Clock } from "../../ports/clock.ts";

/** A waiting call: a terminal waits for its next message, a partner for its next event. */
export interface Poll {
  /** True if the poll must return now. Its caller has begun newer polls, or the process is about to end. */
  isOver(): boolean;
  /** Ends the present pause, or the next one before it begins. Called when there may be a message. */
  wake(): void;
  /** Waits until the poll is woken or over, at most this number of milliseconds. True if it was woken. */
  pause(ms: number, clock: Pick<Clock, "sleep">): Promise<boolean>;
  /** Undefined if the poll may wait: from then on it may. Else the seconds, at random, after which a caller polls again. */
  retryAfterSeconds(): number | undefined;
  end(): void;
}

/** The polls of one process. */
export interface Polls {
  /** Begins a poll of this caller. At most `atOnce` of its polls wait. One more ends the oldest. */
  begin(caller: string, atOnce?: number): Poll;
  /** Ends all present and future polls, because the process is about to end. */
  stop(): void;
}

export interface PollLimit {
  /** Above this number, a terminal's poll does not wait: each takes one of the calls that a host carries out at a time. */
  readonly mostPolls: number;
  readonly random: () => number;
}

/**
 * Remembers the newest polls of each caller. A new poll of a terminal is the only sign that the terminal has given up the poll before. If a
 * caller begins more polls than may wait, the oldest ends at once. So a caller holds a limited number of calls, however many it abandons.
 */
export function newestPolls(limit?: PollLimit): Polls {
  const newest = new Map<string, readonly Poll[]>();
  let polls = 0;
  let isStopping = false;
  return {
    begin(caller, atOnce = 1) {
      let isWoken = false;
      let mayWait = false;
      let endPause = (): void => {};
      polls++;
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
        retryAfterSeconds() {
          if (mayWait || !limit || polls <= limit.mostPolls) mayWait = true;
          else return 5 + Math.floor(limit.random() * 11);
        },
        end() {
          polls--;
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
