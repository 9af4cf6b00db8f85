import { msBetween, type Instant } from "../../domain/time.ts";

/** When this process last wrote each terminal's heartbeat. */
export interface Heartbeats {
  /** Milliseconds until the heartbeat is to be written again; 0 or less if it is due. */
  dueIn(terminalId: string, now: Instant): number;
  written(terminalId: string, at: Instant): void;
}

/**
 * Remembers the heartbeats that one process wrote, so that no poll reads the previous one. Every process writes its own. While a poll of a
 * terminal waits in any process, its heartbeat is never older than `everySeconds`. If there are more than `most` terminals, the oldest is
 * forgotten, and its next heartbeat is written early.
 */
export function heartbeats(everySeconds: number, most = 10_000): Heartbeats {
  const everyMs = everySeconds * 1_000;
  const writtenAt = new Map<string, Instant>(); // in the order of the writes
  return {
    dueIn(terminalId, now) {
      const at = writtenAt.get(terminalId);
      const age = at === undefined ? everyMs : msBetween(at, now);
      return age < 0 ? 0 : everyMs - age; // a heartbeat in the future: the clock was set back
    },
    written(terminalId, at) {
      writtenAt.delete(terminalId);
      writtenAt.set(terminalId, at);
      const [oldest] = writtenAt.keys();
      if (writtenAt.size > most && oldest !== undefined) writtenAt.delete(oldest);
    },
  };
}
