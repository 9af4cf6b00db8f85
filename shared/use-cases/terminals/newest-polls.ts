import type { Clock } from "../../ports/clock.ts";

/** A poll that waits for its terminal's next message. */
export interface Poll {
  /** The poll must return now: its terminal has begun a newer one, or the process is about to end. */
  isOver(): boolean;
  /** There may be a message: ends the present pause, or the next one before it begins. */
  wake(): void;
  /** Waits at most this number of milliseconds, until the poll is woken or over. True where it was woken. */
  pause(ms: number, clock: Pick<Clock, "sleep">): Promise<boolean>;
  end(): void;
}

/** The polls of one process. */
export interface Polls {
  begin(terminalId: string): Poll;
  /** The process is about to end: all polls are over, present and future ones. */
  stop(): void;
}

/**
 * Remembers the newest poll of each terminal. A terminal begins a poll when it has given up the one before, which the process learns in no
 * other way. The newest poll ends the one before at once, so that at most one poll of a terminal waits, however many were abandoned.
 */
export function newestPolls(): Polls {
  const newest = new Map<string, Poll>();
  let isStopping = false;
  return {
    begin(terminalId) {
      const before = newest.get(terminalId);
      let isWoken = false;
      let endPause = (): void => {};
      const poll: Poll = {
        isOver: () => isStopping || newest.get(terminalId) !== poll,
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
          if (newest.get(terminalId) === poll) newest.delete(terminalId);
        },
      };
      newest.set(terminalId, poll);
      before?.wake();
      return poll;
    },
    stop() {
      isStopping = true;
      for (const poll of newest.values()) poll.wake();
    },
  };
}
