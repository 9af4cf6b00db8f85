import { msBetween, type Instant } from "../../domain/time.ts";

/** When this process last wrote that a terminal was heard from. */
export interface Heartbeats {
  /** Milliseconds until it is to be written again, counted from then; 0 or less where it is due. */
  dueIn(terminalId: string, now: Instant): number;
  written(terminalId: string, at: Instant): void;
}

/**
 * Remembers the heartbeats of one process, so that no poll reads the one before. Another process writes its own: a heartbeat is never older
 * than `everySeconds` while a poll of its terminal waits anywhere. Of more than `most` terminals the oldest is forgotten, and written early.
 */
export function heartbeats(everySeconds: number, most = 10_000): Heartbeats {
  const everyMs = everySeconds * 1_000;
  const writtenAt = new Map<string, Instant>(); // in the order of their writing
  return {
    dueIn(terminalId, now) {
      const at = writtenAt.get(terminalId);
      const age = at === undefined ? everyMs : msBetween(at, now);
      return age < 0 ? 0 : everyMs - age; // a heartbeat that is yet to come: the clock was set back
    },
    written(terminalId, at) {
      writtenAt.delete(terminalId);
      writtenAt.set(terminalId, at);
      const [oldest] = writtenAt.keys();
      if (writtenAt.size > most && oldest !== undefined) writtenAt.delete(oldest);
    },
  };
}
