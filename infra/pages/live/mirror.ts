import type { Rows } from "../../../shared/ports/rows.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import { eachTable, type Table, type Tables } from "../../../shared/stores/stores.ts";
import { toRow } from "../../../shared/tables/table-responses.ts";
import type { PublishedRow, PublishedRows } from "../../emulators/azurite/published-rows.ts";
import { mirroredTable, type MirroredTable } from "./mirrored-table.ts";

/** The rows that the tables have published. They are read as the tables are, also while these are away. */
export interface Mirror {
  /** Every write throws. */
  readonly tables: Tables;
  take(published: PublishedRows): void;
}

/** More than the payments that the page lists, each of which is a partition. */
const MOST_PARTITIONS = 4_000;

/**
 * `changed` is called for each partition of which rows were written or removed, once for what was committed together; and for each that had
 * rows when the tables begin anew.
 */
export function newMirror(
  changed: (table: Table, partition: string) => void,
  mostPartitions: number = MOST_PARTITIONS,
): Mirror {
  const mirrored: ReadonlyMap<Table, MirroredTable> = new Map(
    (Object.keys(tableNames) as Table[]).map((table) => [table, mirroredTable(mostPartitions)]),
  );
  const byName = new Map([...mirrored.keys()].map((table) => [tableNames[table].toLowerCase(), table]));
  const of = (table: Table): MirroredTable => mirrored.get(table) as MirroredTable; // every table has one
  return {
    tables: eachTable((table) => readOnly(of(table))),
    take(published) {
      if ("begins" in published) {
        for (const [table, rows] of mirrored) for (const partition of rows.clear()) changed(table, partition);
        return;
      }
      const table = byName.get(published.table);
      if (!table) return; // not the product's
      const partitions = new Set<string>();
      for (const row of published.rows) {
        put(of(table), row);
        partitions.add(row.partitionKey);
      }
      for (const partition of partitions) changed(table, partition);
    },
  };
}

/** A row is read by the rules by which the product reads it in a response. */
function put(table: MirroredTable, { partitionKey, rowKey, etag, properties }: PublishedRow): void {
  if (!properties) return table.remove(partitionKey, rowKey);
  const row = toRow({ ...properties, PartitionKey: partitionKey, RowKey: rowKey, "odata.etag": etag });
  if (!row) throw new Error("The tables published what the product could not read as a row.");
  table.put(row);
}

function readOnly(table: MirroredTable): Rows {
  const refused = async (): Promise<never> => {
    throw new Error("The mirror of the tables is read only.");
  };
  return {
    get: async (...keys) => table.get(...keys),
    withPrefix: async (...query) => table.withPrefix(...query),
    after: async (...query) => table.after(...query),
    submit: refused,
    remove: refused,
  };
}
