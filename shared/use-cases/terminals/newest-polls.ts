import type { Clock } from "../../ports/clock.ts";

/** A poll that waits for its terminal's next message. */
export interface Poll {
  /** Its terminal has asked anew since, or the process is about to end: it is to be answered now. */
  isOver(): boolean;
  /** There may be a message: ends the pause, or the next one before it begins. */
  wake(): void;
  /** Lasts so many milliseconds at most, until it is woken or over. True where it was woken. */
  pause(ms: number, clock: Pick<Clock, "sleep">): Promise<boolean>;
  end(): void;
}

/** The polls of one process. */
export interface Polls {
  begin(terminalId: string): Poll;
  /** The process is about to end: all that wait are over, and all that come. */
  stop(): void;
}

/**
 * Remembers the newest poll of each terminal: a terminal asks anew once it has given up the poll before, which nobody else tells the
 * process. So one poll waits for a terminal at most, however many are abandoned: the newest ends the one before at once.
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
