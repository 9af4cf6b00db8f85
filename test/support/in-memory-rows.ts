import { Conflict } from "../../shared/ports/failures.ts";
import type { Columns, Row, Rows, WholeTable } from "../../shared/ports/rows.ts";
import { whyAzureRefuses } from "./azure-table-limits.ts";

/**
 * `Rows` in memory. The same contract suite runs on it and on Azurite, so that they stay equal. ETags count from `firstVersion` on, so that
 * the ETags of a table and its successor differ. A group that Azure would refuse is an error, whatever Azurite does with it.
 */
export function inMemoryRows(firstVersion = 1): Rows & WholeTable {
  const partitions = new Map<string, Map<string, Row>>();
  let version = firstVersion - 1;
  const least = (keys: Iterable<string>, after: string | undefined): string | undefined => {
    let found: string | undefined;
    for (const key of keys)
      if ((after === undefined || key > after) && (found === undefined || key < found)) found = key;
    return found;
  };
  const partition = (key: string) => {
    const found = partitions.get(key) ?? new Map<string, Row>();
    partitions.set(key, found);
    return found;
  };
  const matching = (partitionKey: string, isMatch: (rowKey: string) => boolean) =>
    [...partition(partitionKey).values()]
      .filter((row) => isMatch(row.rowKey))
      .toSorted((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
  const write = (partitionKey: string, rowKey: string, columns: Columns): string => {
    const etag = `"${++version}"`;
    partition(partitionKey).set(rowKey, { partitionKey, rowKey, etag, columns: { ...columns } });
    return etag;
  };
  return {
    async get(partitionKey, rowKey) {
      return partition(partitionKey).get(rowKey);
    },
    withPrefix: async (partitionKey, prefix, atMost) =>
      matching(partitionKey, (rowKey) => rowKey.startsWith(prefix)).slice(0, atMost),
    after: async (partitionKey, { prefix, rowKey, before }, atMost) =>
      matching(
        partitionKey,
        (key) => key.startsWith(prefix) && key > rowKey && (before === undefined || key < before),
      ).slice(0, atMost),
    async *rowsAfter(partitionKey) {
      for (let at = least(partitions.keys(), partitionKey); at !== undefined; at = least(partitions.keys(), at)) {
        const rows = partition(at);
        for (let key = least(rows.keys(), undefined); key !== undefined; key = least(rows.keys(), key)) {
          const row = rows.get(key);
          if (row) yield row;
        }
      }
    },
    async submit(partitionKey, operations) {
      const refusal = whyAzureRefuses(partitionKey, operations);
      if (refusal !== undefined) throw new Error(`Azure refuses this: ${refusal}`);
      const rows = partition(partitionKey);
      for (const operation of operations) {
        const found = rows.get(operation.rowKey);
        if (operation.kind === "insert" && found) throw new Conflict("EntityAlreadyExists");
        if (operation.kind === "discard" && !found) throw new Conflict("ResourceNotFound");
        if ("etag" in operation && found?.etag !== operation.etag) throw new Conflict("UpdateConditionNotSatisfied");
      }
      return operations.map((operation) => {
        if ("columns" in operation) return write(partitionKey, operation.rowKey, operation.columns);
        rows.delete(operation.rowKey);
        return undefined;
      });
    },
    async remove(partitionKey, rowKey, etag) {
      if (partition(partitionKey).get(rowKey)?.etag !== etag) throw new Conflict("UpdateConditionNotSatisfied");
      partition(partitionKey).delete(rowKey);
    },
  };
}
