import { createRequire } from "node:module";
import type { KeptStore } from "../kept-tables.ts";
import type { Change, Properties, Query, Step } from "./table-steps.ts";

interface StoredEntity {
  readonly PartitionKey: string;
  readonly RowKey: string;
  readonly properties: Properties;
  readonly lastModifiedTime: string;
  readonly eTag: string;
}

/** The methods of its store that Azurite's handlers call. */
export interface Store extends KeptStore {
  insertTableEntity: Write;
  insertOrUpdateTableEntity: ConditionalWrite;
  insertOrMergeTableEntity: ConditionalWrite;
  deleteTableEntity(
    ...args: [context: object, table: string, account: string, pk: string, rk: string, etag: string, batch: string]
  ): Promise<void>;
  queryTableEntitiesWithPartitionAndRowKey(
    ...args: [context: object, table: string, account: string, pk: string, rk: string]
  ): Promise<StoredEntity | null>;
  beginBatchTransaction(batch: string): Promise<void>;
  endBatchTransaction(
    ...args: [account: string, table: string, batch: string, context: object, succeeded: boolean]
  ): Promise<void>;
}
type Write = (
  ...args: [context: object, table: string, account: string, entity: StoredEntity, batch: string]
) => Promise<StoredEntity>;
type ConditionalWrite = (
  ...args: [
    context: object,
    table: string,
    account: string,
    entity: StoredEntity,
    ifMatch: string | undefined,
    batch: string,
  ]
) => Promise<StoredEntity>;

const { default: LokiStore } = createRequire(import.meta.url)(
  "azurite/dist/src/table/persistence/LokiTableMetadataStore.js",
) as { readonly default: new (path: string, inMemory: boolean) => Store };

const context = { contextID: "a request" };
const [account, table] = ["account", "table"];

/** Azurite's store in memory, not initialised. */
export const lokiStore = (): Store => new LokiStore("there is no such file", true);

/** Azurite's store with one table. `change` is called before the table is made. */
export async function aStore(change: (store: Store) => void = () => {}): Promise<Store> {
  const store = lokiStore();
  await store.init();
  change(store);
  await store.createTable(context, { account, table });
  return store;
}

/** Runs the steps on one store, and returns the response to each. */
export function lifeOn(store: Store) {
  let writes = 0;

  async function apply(PartitionKey: string, { kind, RowKey, properties, condition }: Change, batch: string) {
    const there = await store.queryTableEntitiesWithPartitionAndRowKey(context, table, account, PartitionKey, RowKey);
    const etag = { current: there?.eTag ?? "W/none", any: "*", stale: "W/stale" }[condition];
    writes++;
    const entity = {
      PartitionKey,
      RowKey,
      properties: { ...properties },
      lastModifiedTime: `${writes}`,
      eTag: `W/${writes}`,
    };
    switch (kind) {
      case "insert":
        return store.insertTableEntity(context, table, account, entity, batch);
      case "replace":
        return store.insertOrUpdateTableEntity(context, table, account, entity, etag, batch);
      case "upsert":
        return store.insertOrUpdateTableEntity(context, table, account, entity, undefined, batch);
      case "merge":
        return store.insertOrMergeTableEntity(context, table, account, entity, etag, batch);
      case "delete":
        return store.deleteTableEntity(context, table, account, PartitionKey, RowKey, etag, batch);
    }
  }

  async function batch(PartitionKey: string, changes: readonly Change[]): Promise<unknown> {
    await store.beginBatchTransaction("b");
    const answers: unknown[] = [];
    let succeeded = true;
    for (const one of changes) {
      const answer = await answerOf(() => apply(PartitionKey, one, "b"));
      answers.push(answer);
      succeeded = !isError(answer);
      if (!succeeded) break;
    }
    await store.endBatchTransaction(account, table, "b", context, succeeded);
    return answers;
  }

  async function page({ filter, top }: Query, partition?: string, row?: string) {
    const options = { ...(filter !== undefined && { filter }), ...(top !== undefined && { top }) };
    const [rows, ...next] = await store.queryTableEntities(context, account, table, options, partition, row);
    return { rows: rows.map(shown), next };
  }

  async function pages(query: Query): Promise<unknown> {
    const all = [await page(query)];
    for (let { next } = all[0] as (typeof all)[0]; next[0] !== undefined && all.length < 20;) {
      const one = await page(query, ...next);
      all.push(one);
      next = one.next;
    }
    return all;
  }

  return async (step: Step): Promise<unknown> => {
    switch (step.do) {
      case "write":
        return apply(step.PartitionKey, step.change, "");
      case "batch":
        return batch(step.PartitionKey, step.changes);
      case "read":
        return store.queryTableEntitiesWithPartitionAndRowKey(context, table, account, step.PartitionKey, step.RowKey);
      case "query":
        return pages(step.query);
      case "from":
        return page(step.query, step.partition, step.row);
      case "begin anew":
        await store.deleteTable(context, table, account);
        return store.createTable(context, { account, table });
    }
  };
}

/** A row without the collection's own members. */
const shown = (entity: unknown): unknown => {
  const { $loki: _, meta: __, ...rest } = entity as Record<string, unknown>;
  return rest;
};

const isError = (answer: unknown): boolean => typeof answer === "object" && answer !== null && "refused" in answer;

export async function answerOf(act: () => Promise<unknown>): Promise<unknown> {
  try {
    const answer = await act();
    return typeof answer === "object" && answer !== null && !Array.isArray(answer) ? shown(answer) : answer;
  } catch (error) {
    return { refused: (error as { storageErrorCode?: string }).storageErrorCode ?? String(error) };
  }
}
