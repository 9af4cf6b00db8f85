import { join } from "node:path";
import { expect } from "vitest";
import { insertRows } from "../../../infra/operator/backup/insert-rows.ts";
import type { Stack } from "../../../packages/workbench/stack/stack.ts";
import { azureTables } from "../../../shared/adapters/tables/azure-tables.ts";
import type { Row } from "../../../shared/ports/rows.ts";
import type { Table } from "../../../shared/stores/stores.ts";
import { operatorOf } from "../../support/admin.ts";
import { failoverLives } from "./lives.ts";
import { pay, request, type Till } from "./tills.ts";

/** The rows of whole tables. */
type Kept = readonly { readonly table: Table; readonly rows: readonly Row[] }[];

/**
 * Plays an unplanned failover. Payments continue after the tables were copied to the other region. Then the region is lost with its queues,
 * and only the copy is left. The documented commands follow. Returns each payment with its life, once it has ended.
 */
export async function playFailover(stack: Stack, tills: readonly Till[], directory: string) {
  const { shown } = operatorOf(stack.file);
  const played = failoverLives.map((life, i) => ({
    life,
    till: tills[i] as Till,
    body: request(tills[i] as Till, life.body),
  }));
  await Promise.all(
    played.map(async ({ life, till, body }) => {
      till.terminal.hold(...life.holds);
      if (life.before) await pay(till, body);
      await life.before?.(till, body);
    }),
  );
  const copy = await copyOf(stack);
  for (const { till } of played) till.terminal.letGo();
  await Promise.all(
    played.map(async ({ life, till, body }) => {
      if (!life.before) await pay(till, body);
      await life.lost(till, body);
    }),
  );

  await stack.killFunctions();
  await Promise.all([stack.purgeServiceBus(), stack.loseTables()]);
  await shown("setup");
  await putBack(stack, copy);
  await expect(shown("repair", "--all", "--yes")).rejects.toThrow("--tables-are-current");
  const folder = join(directory, "survivors");
  await shown("export", folder);
  await stack.loseTables(); // loads into the empty account of the other region
  await shown("setup");
  await shown("import", folder, "--yes");
  await shown("repair", "--all", "--tables-are-current", "--yes");
  await stack.startFunctions();
  await Promise.all(
    played.map(async ({ life, till, body }) => {
      if (!life.before) await pay(till, body); // the partner learns that the payment is unknown, and requests it again
      await till.partner.until(body.sessionID, life.ends);
    }),
  );
  return played;
}

const copyOf = ({ file }: Stack): Promise<Kept> =>
  Promise.all(
    Object.entries(azureTables(file.tables)).map(async ([table, whole]) => {
      const rows: Row[] = [];
      for await (const row of whole.rowsAfter()) rows.push(row);
      return { table: table as Table, rows };
    }),
  );

async function putBack({ file }: Stack, kept: Kept): Promise<void> {
  const tables = azureTables(file.tables);
  for (const { table, rows } of kept)
    for (const [partition, ofPartition] of Map.groupBy(rows, ({ partitionKey }) => partitionKey))
      await insertRows(tables[table], partition, ofPartition);
}
