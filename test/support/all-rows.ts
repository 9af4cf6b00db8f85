import type { Rows } from "../../shared/ports/rows.ts";
import type { Table } from "../../shared/stores/stores.ts";
import { inMemoryRows } from "./in-memory-rows.ts";

/** Tables in memory in which a test sees every row. The test may end the process at a write. */
export function allRows() {
  const tables = new Map<Table, { readonly rows: Rows; readonly partitions: Set<string> }>();
  let writesLeft = Infinity;
  const write = async <T>(act: () => Promise<T>): Promise<T> => {
    if (writesLeft-- <= 0) throw new Error("the power is cut");
    return act();
  };
  return {
    open(table: Table): Rows {
      const [rows, partitions] = [inMemoryRows(), new Set<string>()];
      tables.set(table, { rows, partitions });
      return {
        ...rows,
        submit(partition, operations) {
          partitions.add(partition);
          return write(() => rows.submit(partition, operations));
        },
        remove: (partition, rowKey, etag) => write(() => rows.remove(partition, rowKey, etag)),
      };
    },
    /** Every row, as `<table> <partition> <row>`, in order. */
    async all(): Promise<string[]> {
      const found: string[] = [];
      for (const [table, { rows, partitions }] of tables)
        for (const partition of partitions)
          for (const { rowKey } of await rows.withPrefix(partition, "")) found.push(`${table} ${partition} ${rowKey}`);
      return found.toSorted((a, b) => (a < b ? -1 : 1));
    },
    /** Lets this many writes pass, and no further write until it is called again. */
    cutAfter(writes: number): void {
      writesLeft = writes;
    },
  };
}
