import type { Position, Row } from "../../../shared/ports/rows.ts";
import { sortedTable, type Entity } from "../../emulators/azurite/sorted-table.ts";

/** The rows of one table, limited to a number of partitions. */
export interface MirroredTable {
  get(partitionKey: string, rowKey: string): Row | undefined;
  /** The rows whose key begins with the prefix, in key order. */
  withPrefix(partitionKey: string, prefix: string, atMost?: number): Row[];
  /** The first rows after a position, in key order. */
  after(partitionKey: string, position: Position, atMost: number): Row[];
  put(row: Row): void;
  remove(partitionKey: string, rowKey: string): void;
  /** Returns the partitions that had rows. */
  clear(): readonly string[];
}

interface Kept extends Entity {
  readonly row: Row;
}

/**
 * If there are too many partitions, the least recently written partition is removed. Later writes to it are ignored, because some of its
 * rows would look like all of them.
 */
export function mirroredTable(mostPartitions: number): MirroredTable {
  let kept = sortedTable("mirror");
  /** The partitions with rows, the least recently written first. */
  const partitions = new Set<string>();
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
  const leave = (partition: string) => {
    const all = [...from(partition, "")]; // the table must not change while it is read
    for (const found of all) kept.remove(found);
    partitions.delete(partition);
    left.add(partition);
  };
  return {
    get: (partitionKey, rowKey) => find(partitionKey, rowKey)?.row,
    withPrefix: (partitionKey, prefix, atMost = Infinity) => firstOf(from(partitionKey, prefix), atMost),
    after: (partitionKey, { prefix, rowKey: after, before }, atMost) =>
      firstOf(from(partitionKey, prefix, { after, before }), atMost),
    put(row) {
      const { partitionKey: PartitionKey, rowKey: RowKey } = row;
      if (left.has(PartitionKey)) return;
      const one: Kept = { PartitionKey, RowKey, row };
      if (find(PartitionKey, RowKey)) kept.update(one);
      else kept.insert(one);
      partitions.delete(PartitionKey);
      partitions.add(PartitionKey);
      const [first] = partitions;
      if (partitions.size > mostPartitions && first !== undefined) leave(first);
    },
    remove(partitionKey, rowKey) {
      const found = find(partitionKey, rowKey);
      if (!found) return;
      kept.remove(found);
      if (from(partitionKey, "").next().done) partitions.delete(partitionKey);
    },
    clear() {
      const had = [...partitions];
      kept = sortedTable("mirror");
      partitions.clear();
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
