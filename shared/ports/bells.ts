import { z } from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant } from "../domain/time.ts";

/**
 * Wakes the polls that wait for a terminal's messages, in whichever process they wait. Best effort, and part of no promise: a bell may be
 * lost, late or doubled. Every poll looks into its inbox by itself from time to time, so that a lost one costs seconds and no message.
 */
export interface Bells {
  /** A message was filed for the terminal. Returns at once, and never throws. */
  ring(terminalId: string): void;
  /** Calls `wake` whenever there may be a message for the terminal, until what it returns is called. */
  listen(terminalId: string, wake: () => void): () => void;
}

/**
 * What one process rang lately. It alone writes its row, so that no process writes over what another one rang: the last terminal has the
 * `sequence`, the one before it the number before. A reader that finds a gap before the first one does not know who was rung.
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

/** The rows by which processes hear each other's bells. */
export interface RungBells {
  /** Writes the row of this ringer over the one before. */
  save(rung: Rung): Promise<void>;
  all(): Promise<StoredRung[]>;
  /** Takes the row of a ringer away that has not rung for long. Throws `Conflict` where it rang since. */
  remove(rung: StoredRung): Promise<void>;
}
