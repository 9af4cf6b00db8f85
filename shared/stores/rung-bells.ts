import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant } from "../domain/time.ts";
import { BELLS_PARTITION, RINGER_PREFIX, ringerRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "../ports/rows.ts";

/**
 * The latest rings of one process. Only that process writes its row, so no process overwrites another's rings. The last terminal has the
 * number `sequence`, and the terminals before it count down from there. A reader that finds a gap before the first one does not know which
 * terminals were rung in between.
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

/**
 * The rings of all processes, in a table of their own. Its one partition is read many times a second, which must not slow down payments. If
 * the table is lost, nothing else is.
 */
export function bellsTable(rows: Rows) {
  return {
    /** Overwrites the row of this ringer. */
    async save(rung: Rung): Promise<void> {
      const rowKey = ringerRow(rung.ringer);
      await rows.submit(BELLS_PARTITION, [{ kind: "overwrite", rowKey, columns: toColumns(rung) }]);
    },
    async all(): Promise<StoredRung[]> {
      const found = await rows.withPrefix(BELLS_PARTITION, RINGER_PREFIX);
      return found.map((row) => ({ ...fromRow(row, rungRecord), etag: row.etag }));
    },
    /** Removes the row of a ringer that has not rung for long. Throws `Conflict` if it has rung since the row was read. */
    async remove(rung: StoredRung): Promise<void> {
      const { ringer, etag } = rung;
      await rows.remove(BELLS_PARTITION, ringerRow(ringer), etag);
    },
  };
}

/** The rows by which each process learns of the others' rings. */
export type RungBells = ReturnType<typeof bellsTable>;
