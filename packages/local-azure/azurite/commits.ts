import type { TableStore } from "./sorted-store.ts";
import type { Entity, SortedTable } from "./sorted-table.ts";

/** Receives the rows of each commit of a store. */
export interface CommitHearer {
  /** While this returns false, commits are not recorded. */
  readonly isListening: () => boolean;
  /** Receives the keys of the rows of one table that were written or removed together. The table has the current rows. */
  committed(table: SortedTable, keys: readonly Entity[]): void;
}

/**
 * Reports each commit of a store when it is complete, before the caller gets its response. While a write runs, its keys are recorded. A
 * batch is one commit. If Azurite rolls back a batch, its rows are reported too, with their old values. Returns the function that a table
 * calls when one of its rows was written or removed.
 */
export function commitsOf(store: TableStore, hearer: CommitHearer): (table: SortedTable, row: Entity) => void {
  const touched = new Map<SortedTable, Map<string, Entity>>();
  let isInBatch = false;
  const notify = () => {
    if (isInBatch) return; // reported at the end of the batch
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
      notify();
    }
  };
  return (table, { PartitionKey, RowKey }) => {
    if (!hearer.isListening()) return;
    if (touched.size === 0) queueMicrotask(notify);
    const rows = touched.get(table) ?? new Map<string, Entity>();
    touched.set(table, rows.set(JSON.stringify([PartitionKey, RowKey]), { PartitionKey, RowKey }));
  };
}
