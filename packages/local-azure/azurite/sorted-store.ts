import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { keyRanges, type FilterNode } from "./key-ranges.ts";
import { sortedTable, type Entity, type SortedTable } from "./sorted-table.ts";

interface QueryOptions {
  readonly filter?: string;
  readonly top?: number;
}

/** Azurite's store of tables: the members that are used or changed here. Azurite's handlers await their results. */
export interface TableStore {
  readonly db: { readonly collections: SortedTable[]; removeCollection(name: string): void };
  createCollectionForTable(table: { readonly account: string; readonly table: string }): void;
  getTableCollectionName(account: string, table: string): string;
  getEntityCollection(account: string, table: string, context: unknown): SortedTable;
  getMaxResultsOption(options: QueryOptions): number;
  adjustQueryResultforTop(result: Entity[], most: number): Readonly<Record<ContinuationKey, string | undefined>>;
  decodeContinuationHeader(key: string | undefined): string | undefined;
  queryTableEntities: QueryTableEntities;
  beginBatchTransaction(batch: string): Promise<void>;
  endBatchTransaction(
    ...args: [account: string, table: string, batch: string, context: object, succeeded: boolean]
  ): Promise<void>;
}

type ContinuationKey = "nextPartitionKeyResponse" | "nextRowKeyResponse";
/** Azurite's query. `nextPartitionKey` and `nextRowKey`, from the previous response, say where the page begins. */
type QueryTableEntities = (
  ...query: [
    context: unknown,
    account: string,
    table: string,
    options: QueryOptions,
    nextPartitionKey: string | undefined,
    nextRowKey: string | undefined,
  ]
) => Promise<[rows: Entity[], nextPartitionKey: string | undefined, nextRowKey: string | undefined]>;

/** The hash of the source of Azurite's store (3.36.0). This code depends on that source. Another version may need other code. */
const SOURCE = "1c49d6b2ebd2fd9a";

const require = createRequire(import.meta.url);
const persistence = "azurite/dist/src/table/persistence";
const { default: filters } = require(`${persistence}/LokiTableStoreQueryGenerator.js`) as {
  readonly default: {
    generateQueryForPersistenceLayer(options: QueryOptions, context: unknown): (entity: Entity) => boolean;
  };
};
const { default: parse } = require(`${persistence}/QueryInterpreter/QueryParser.js`) as {
  readonly default: (filter: string) => FilterNode;
};

/**
 * Gives an Azurite store tables that are sorted by key. Call it before the first table is made. Azurite keeps rows in the order of their
 * insertion. So a query walks all rows of the table and sorts the matches. A point read walks all rows with that row key. A write renumbers
 * all rows. Azure Table Storage finds rows by partition and row key, and so does this code. Every response stays byte for byte
 * Azurite's own. `changed` is called after each row that was written or removed, also in a batch. Throws if Azurite's store is not the
 * version for which this code was made.
 */
export function sortTables(store: TableStore, changed: (table: SortedTable, row: Entity) => void = () => {}): void {
  const source = createHash("sha256").update(String(store.constructor)).digest("hex").slice(0, 16);
  if (source !== SOURCE)
    throw new Error(
      `Azurite's store of tables has changed (${source}): see whether packages/local-azure/azurite/sorted-store.ts still answers as it does, and note the new source there.`,
    );
  store.createCollectionForTable = ({ account, table }) => {
    const name = store.getTableCollectionName(account, table);
    store.db.removeCollection(name);
    const sorted: SortedTable = sortedTable(name, (row) => changed(sorted, row));
    store.db.collections.push(sorted);
  };
  store.queryTableEntities = (...query) => queryTable(store, ...query);
}

/** The matching rows of one page, in the order of their keys, and the start of the next page. */
async function queryTable(store: TableStore, ...query: Parameters<QueryTableEntities>): ReturnType<QueryTableEntities> {
  const [context, account, table, options, nextPartitionKey, nextRowKey] = query;
  const entities = store.getEntityCollection(account, table, context);
  const matches = filters.generateQueryForPersistenceLayer(options, context); // throws for an invalid filter
  const most = store.getMaxResultsOption(options);
  const partition = store.decodeContinuationHeader(nextPartitionKey);
  const row = store.decodeContinuationHeader(nextRowKey);
  const found: Entity[] = [];
  // A row key without a partition is not a position. Azurite returns nothing for it.
  if (partition !== undefined || row === undefined) {
    const start = partition === undefined ? undefined : { partition, row };
    for (const entity of entities.rows({ ...rangesOf(options.filter), start })) {
      if (matches(entity)) found.push(entity);
      if (found.length > most) break;
    }
  }
  const { nextPartitionKeyResponse, nextRowKeyResponse } = store.adjustQueryResultforTop(found, most);
  return [found, nextPartitionKeyResponse, nextRowKeyResponse];
}

/** Azurite treats an absent and an empty filter alike. */
const rangesOf = (filter: string | undefined) => keyRanges(filter ? parse(filter) : undefined);
