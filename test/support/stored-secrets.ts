import { workers } from "../../functions/workers.ts";
import { busClient, type BusNamespace } from "../../shared/adapters/queues/bus-client.ts";
import type { WholeTables } from "../../shared/stores/stores.ts";
import { findSecrets, type Secret } from "./secret-search.ts";

/** A pending mail has its address in a row, but in no log. */
const MAY_BE_STORED = new Set(["an e-mail address", "mail.address"]);

function search(place: string, content: unknown, known: readonly Secret[]): void {
  const kinds = findSecrets(JSON.stringify(content), known).map(({ kind }) => kind);
  const found = kinds.filter((kind) => !MAY_BE_STORED.has(kind));
  if (found.length > 0) throw new Error(`${place} holds ${found.join(", ")}`);
}

/**
 * Throws if a row holds a secret. The error names the place and the kind, but never the value. An export has the same rows. Returns the
 * number of rows.
 */
export async function searchTables(tables: WholeTables, known: readonly Secret[]): Promise<number> {
  let rows = 0;
  for (const [name, table] of Object.entries(tables))
    for await (const { partitionKey, rowKey, columns } of table.rowsAfter()) {
      rows += 1;
      const key = rowKey.replaceAll(/~\d{15}(?![^~])/g, ""); // a time or a number; one in ten looks like a card number
      search(`${name}: ${partitionKey} ${rowKey.split("~")[0]}`, { partitionKey, key, columns }, known);
    }
  return rows;
}

/** Like `searchTables`, for the messages in the queues, including scheduled messages and dead letters. */
export async function searchQueues(serviceBus: BusNamespace, known: readonly Secret[]): Promise<number> {
  const client = busClient(serviceBus, {});
  let messages = 0;
  try {
    for (const { name: queue } of workers)
      for (const subQueueType of [undefined, "deadLetter"] as const) {
        const receiver = client.createReceiver(queue, { ...(subQueueType && { subQueueType }) });
        for (let page = await receiver.peekMessages(250); page.length > 0; page = await receiver.peekMessages(250)) {
          messages += page.length;
          for (const { body, applicationProperties } of page) search(queue, { body, applicationProperties }, known);
        }
      }
  } finally {
    await client.close();
  }
  return messages;
}
