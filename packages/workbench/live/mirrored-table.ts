import type { Position, Row } from "../../../shared/ports/rows.ts";
import { paymentPrefixIn } from "../../../shared/stores/keys.ts";
import { sortedTable, type Entity } from "../../local-azure/azurite/sorted-table.ts";

/** The rows of one table, limited to a number of units: the payments of a terminal one by one, and otherwise partitions. */
export interface MirroredTable {
  get(partitionKey: string, rowKey: string): Row | undefined;
  /** The rows whose key begins with the prefix, in key order. */
  withPrefix(partitionKey: string, prefix: string, atMost?: number): Row[];
  /** The first rows after a position, in key order. */
  after(partitionKey: string, position: Position, atMost: number): Row[];
  put(row: Row): void;
  remove(partitionKey: string, rowKey: string): void;
  /** Returns the units that had rows. */
  clear(): readonly Unit[];
}

/** The rows that are kept or removed together: those of a payment (with their prefix), or all others of a partition. */
export interface Unit {
  readonly partition: string;
  readonly prefix: string | undefined;
}

export const unitOf = ({ partitionKey: partition, rowKey }: Pick<Row, "partitionKey" | "rowKey">): Unit => ({
  partition,
  prefix: paymentPrefixIn(rowKey),
});
const nameOf = ({ partition, prefix = "" }: Unit): string => `${partition} ${prefix}`;

interface Kept extends Entity {
  readonly row: Row;
}

/**
 * If there are too many units, the least recently written one is removed. Later writes to it are ignored, because some of its rows would
 * look like all of them.
 */
export function mirroredTable(mostUnits: number): MirroredTable {
  let kept = sortedTable("mirror");
  /** The units with rows by their names, the least recently written first. */
  const units = new Map<string, Unit>();
  const left = new Set<string>();

  const find = (PartitionKey: string, RowKey: string) => kept.findOne({ PartitionKey, RowKey }) as Kept | null;
  function* from(
    partition: string,
    prefix: string,
    { after, before }: { readonly after?: string; readonly before?: string | undefined } = {},
  ): Generator<Kept, void> {
    const partitions = { from: partition, to: partition };
    const first = after === undefined || after < prefix ? prefix : after;
    for (const found of kept.rows({ partitions, rows: { from: first } })) {
      if (found.RowKey === after) continue;
      if (!found.RowKey.startsWith(prefix) || (before !== undefined && found.RowKey >= before)) return;
      yield found as Kept;
    }
  }
  const rowsOf = function* (unit: Unit): Generator<Kept, void> {
    for (const found of from(unit.partition, unit.prefix ?? ""))
      if (paymentPrefixIn(found.RowKey) === unit.prefix) yield found;
  };
  const leave = (name: string, unit: Unit) => {
    const all = [...rowsOf(unit)]; // the table must not change while it is read
    for (const found of all) kept.remove(found);
    units.delete(name);
    left.add(name);
  };
  return {
    get: (partitionKey, rowKey) => find(partitionKey, rowKey)?.row,
    withPrefix: (partitionKey, prefix, atMost = Infinity) => firstOf(from(partitionKey, prefix), atMost),
    after: (partitionKey, { prefix, rowKey: after, before }, atMost) =>
      firstOf(from(partitionKey, prefix, { after, before }), atMost),
    put(row) {
      const { partitionKey: PartitionKey, rowKey: RowKey } = row;
      const unit = unitOf(row);
      const name = nameOf(unit);
      if (left.has(name)) return;
      const one: Kept = { PartitionKey, RowKey, row };
      if (find(PartitionKey, RowKey)) kept.update(one);
      else kept.insert(one);
      units.delete(name);
      units.set(name, unit);
      const [first] = units;
      if (units.size > mostUnits && first) leave(...first);
    },
    remove(partitionKey, rowKey) {
      const found = find(partitionKey, rowKey);
      if (!found) return;
      kept.remove(found);
      const unit = unitOf({ partitionKey, rowKey });
      if (rowsOf(unit).next().done) units.delete(nameOf(unit));
    },
    clear() {
      const had = [...units.values()];
      kept = sortedTable("mirror");
      units.clear();
      left.clear();
      return had;
    },
  };
}

function firstOf(found: Iterable<Kept>, atMost: number): Row[] {
  const rows: Row[] = [];
  for (const { row } of found) {
    if (rows.length === atMost) break;
    rows.push(row);
  }
  return rows;
}
