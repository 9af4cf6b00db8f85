import { Conflict } from "../../shared/ports/failures.ts";
import type { Columns, Row, Rows } from "../../shared/tables/rows.ts";

/** `Rows` in memory. The same contract suite runs on it and on Azurite, so that it cannot drift. */
export function inMemoryRows(): Rows {
  const partitions = new Map<string, Map<string, Row>>();
  let version = 0;
  const partition = (key: string) => {
    const found = partitions.get(key) ?? new Map<string, Row>();
    partitions.set(key, found);
    return found;
  };
  const write = (partitionKey: string, rowKey: string, columns: Columns): string => {
    const etag = `"${++version}"`;
    partition(partitionKey).set(rowKey, { partitionKey, rowKey, etag, columns: { ...columns } });
    return etag;
  };
  return {
    async get(partitionKey, rowKey) {
      return partition(partitionKey).get(rowKey);
    },
    async withPrefix(partitionKey, prefix, atMost) {
      return [...partition(partitionKey).values()]
        .filter((row) => row.rowKey.startsWith(prefix))
        .toSorted((a, b) => (a.rowKey < b.rowKey ? -1 : 1))
        .slice(0, atMost);
    },
    async submit(partitionKey, operations) {
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
