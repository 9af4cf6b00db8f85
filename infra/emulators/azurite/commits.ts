import type { TableStore } from "./sorted-store.ts";
import type { Entity, SortedTable } from "./sorted-table.ts";

/** What hears of the rows of each commit of a store. */
export interface CommitHearer {
  /** While it is false, commits are not noted. */
  readonly isListening: () => boolean;
  /** The keys of the rows of one table that were written or removed together. The table has the rows as they are now. */
  committed(table: SortedTable, keys: readonly Entity[]): void;
}

/**
 * Tells of each commit of a store when it is complete, before its caller is answered. While a write runs its keys are noted. A batch is one
 * commit; of a batch that Azurite undoes the rows are told as well, and are as they were before. Returns what a table calls when a row of it
 * was written or removed.
 */
export function commitsOf(store: TableStore, hearer: CommitHearer): (table: SortedTable, row: Entity) => void {
  const touched = new Map<SortedTable, Map<string, Entity>>();
  let isInBatch = false;
  const tell = () => {
    if (isInBatch) return; // the end of the batch tells
    const commits = [...touched];
    touched.clear();
    for (const [table, rows] of commits) hearer.committed(table, [...rows.values()]);
  };

  const { beginBatchTransaction, endBatchTransaction } = store;
  store.beginBatchTransaction = async (...batch) => {
    await beginBatchTransaction.apply(store, batch);
    isInBatch = true;
  };
  store.endBatchTransaction = async (...batch) => {
    try {
      await endBatchTransaction.apply(store, batch);
    } finally {
      isInBatch = false;
      tell();
    }
  };
  return (table, { PartitionKey, RowKey }) => {
    if (!hearer.isListening()) return;
    if (touched.size === 0) queueMicrotask(tell);
    const rows = touched.get(table) ?? new Map<string, Entity>();
    touched.set(table, rows.set(JSON.stringify([PartitionKey, RowKey]), { PartitionKey, RowKey }));
  };
}
