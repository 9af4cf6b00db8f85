import type { Publisher } from "../common/publish.ts";
import { commitsOf } from "./commits.ts";
import type { TableStore } from "./sorted-store.ts";
import type { Entity, SortedTable, Within } from "./sorted-table.ts";

/** A row as it is now. A removed row has only keys. */
export interface PublishedRow {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly etag?: string;
  /** As Azurite stores them: the columns, and for some columns their OData type. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** The rows of one table that were committed together. `begins` means that rows that were published earlier are not valid any more. */
export type PublishedRows =
  | { readonly begins: true }
  | {
      /** In lower case, because Azurite compares table names in lower case. */
      readonly table: string;
      readonly rows: readonly PublishedRow[];
    };

/** A row as Azurite stores it. */
interface StoredEntity extends Entity {
  readonly eTag: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const MOST_AT_ONCE = 500;

/**
 * Publishes the rows of a store. When the parent asks, it publishes all rows, and later the rows of each commit as they are then. So a
 * batch is one item. Returns the function that a table calls when one of its rows was written or removed. The deletion of a table is not
 * published, because the product deletes no table.
 */
export function publishRows(
  store: TableStore,
  publisherOf: (begin: (publish: (item: PublishedRows) => void) => void) => Publisher<PublishedRows>,
): (table: SortedTable, row: Entity) => void {
  const publisher = publisherOf((publish) => {
    publish({ begins: true });
    for (const table of store.db.collections) {
      if (!isSorted(table)) continue;
      for (const rows of portions([...table.rows(EVERYTHING)])) publish(itemOf(table, rows));
    }
  });
  return commitsOf(store, {
    isListening: publisher.isWatched,
    committed(table, keys) {
      for (const portion of portions(keys)) publisher.publish(itemOf(table, portion));
    },
  });
}

export const EVERYTHING: Within = { partitions: {}, rows: {} };

/** False for the store's own lists of tables and services, which are lokijs collections. */
export const isSorted = (table: SortedTable): boolean => typeof table.rows === "function";

export function* portions(rows: readonly Entity[]): Generator<readonly Entity[]> {
  for (let at = 0; at < rows.length; at += MOST_AT_ONCE) yield rows.slice(at, at + MOST_AT_ONCE);
}

/** The rows of these keys as they are now. */
const itemOf = (table: SortedTable, keys: readonly Entity[]): PublishedRows => ({
  table: table.name.slice(table.name.indexOf("$") + 1).toLowerCase(), // the name begins with the account
  rows: keys.map((of) => {
    const { PartitionKey: partitionKey, RowKey: rowKey } = of;
    const found = table.findOne(of) as StoredEntity | null;
    return found ? { partitionKey, rowKey, etag: found.eTag, properties: found.properties } : { partitionKey, rowKey };
  }),
});
