import type { Rows } from "../../../shared/ports/rows.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import { CHANGED_PREFIX, OPEN_PREFIX } from "../../../shared/stores/subject-rows.ts";
import { eachTable, type Table, type Tables } from "../../../shared/stores/stores.ts";
import { toRow } from "../../../shared/adapters/tables/table-responses.ts";
import type { PublishedRow, PublishedRows } from "../../local-azure/azurite/published-rows.ts";
import { mirroredTable, unitOf, type MirroredTable, type Unit } from "./mirrored-table.ts";

/** The rows that the tables have published. They can be read like the tables, even while the tables are unavailable. */
export interface Mirror {
  /** Every write throws. */
  readonly tables: Tables;
  take(published: PublishedRows): void;
}

/** More than the number of listed payments. */
const MOST_UNITS = 4_000;

/**
 * `changed` is called for each unit whose rows were written or removed, once for each commit. It is also called for each unit that had rows
 * when the tables start again.
 */
export function newMirror(changed: (table: Table, unit: Unit) => void, mostUnits: number = MOST_UNITS): Mirror {
  const mirrored: ReadonlyMap<Table, MirroredTable> = new Map(
    (Object.keys(tableNames) as Table[]).map((table) => [table, mirroredTable(mostUnits)]),
  );
  const byName = new Map([...mirrored.keys()].map((table) => [tableNames[table].toLowerCase(), table]));
  const of = (table: Table): MirroredTable => mirrored.get(table) as MirroredTable; // every table has one
  return {
    tables: eachTable((table) => readOnly(of(table))),
    take(published) {
      if ("begins" in published) {
        for (const [table, rows] of mirrored) for (const unit of rows.clear()) changed(table, unit);
        return;
      }
      const table = byName.get(published.table);
      if (!table) return; // not a table of the product
      const units = new Map<string, Unit>();
      for (const row of published.rows.filter(({ rowKey }) => !isMark(table, rowKey))) {
        put(of(table), row);
        const unit = unitOf(row);
        units.set(JSON.stringify(unit), unit);
      }
      for (const unit of units.values()) changed(table, unit);
    },
  };
}

/** Marks of subjects would only use memory: no page reads them. Those of open alerts lead to the alerts. */
const isMark = (table: Table, rowKey: string): boolean =>
  table !== "alerts" && (rowKey.startsWith(OPEN_PREFIX) || rowKey.startsWith(CHANGED_PREFIX));

/** Reads a row in the same way as the product reads it from a response. */
function put(table: MirroredTable, { partitionKey, rowKey, etag, properties }: PublishedRow): void {
  if (!properties) return table.remove(partitionKey, rowKey);
  const row = toRow({ ...properties, PartitionKey: partitionKey, RowKey: rowKey, "odata.etag": etag });
  if (!row) throw new Error("The tables published data that cannot be read as a row.");
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
