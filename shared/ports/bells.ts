import { z } from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant } from "../domain/time.ts";

/**
 * Wakes the polls that wait for a terminal's messages, in any process. Best effort: a bell may be lost, late or doubled, and no promise
 * rests on it. Every poll also reads its inbox by itself from time to time, so a lost bell costs seconds and never a message.
 */
export interface Bells {
  /** A message was enqueued for the terminal. Returns at once, and never throws. */
  ring(terminalId: string): void;
  /** Calls `wake` whenever the terminal may have a message. The function that it returns ends this. */
  listen(terminalId: string, wake: () => void): () => void;
}

/**
 * The latest rings of one process. Only that process writes its row, so no process overwrites another's rings. The last terminal has the
 * number `sequence`, the one before it the number before. A reader that finds a gap before the first one does not know which terminals were
 * rung in between.
 */
export const rungRecord = z.object({
  ringer: z.string(),
  sequence: z.int(),
  terminalIds: z.array(z.string()),
  at: instant,
});
export interface Rung extends RecordOf<typeof rungRecord> {}
export interface StoredRung extends Rung {
  readonly etag: string;
}

/** The rows by which each process learns of the others' rings. */
export interface RungBells {
  /** Overwrites the row of this ringer. */
  save(rung: Rung): Promise<void>;
  all(): Promise<StoredRung[]>;
  /** Removes the row of a ringer that has not rung for long. Throws `Conflict` when it has rung since the row was read. */
  remove(rung: StoredRung): Promise<void>;
}
