import { rungRecord, type RungBells } from "../ports/bells.ts";
import { BELLS_PARTITION, RINGER_PREFIX, ringerRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "./rows.ts";

/**
 * The rings of all processes, in a table of their own: its one partition is read many times a second, which must not slow down payments.
 * Nothing is lost with it.
 */
export function bellsTable(rows: Rows): RungBells {
  return {
    async save(rung) {
      const rowKey = ringerRow(rung.ringer);
      await rows.submit(BELLS_PARTITION, [{ kind: "overwrite", rowKey, columns: toColumns(rung) }]);
    },
    async all() {
      const found = await rows.withPrefix(BELLS_PARTITION, RINGER_PREFIX);
      return found.map((row) => ({ ...fromRow(row, rungRecord), etag: row.etag }));
    },
    async remove({ ringer, etag }) {
      await rows.remove(BELLS_PARTITION, ringerRow(ringer), etag);
    },
  };
}
