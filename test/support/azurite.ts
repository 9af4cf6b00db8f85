import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TableClient } from "@azure/data-tables";
import { startTables, tablesConnection } from "../../infra/local/azurite.ts";
import { freePort } from "../../infra/local/common/free-ports.ts";
import { azureRows } from "../../shared/tables/azure-rows.ts";
import type { Rows, WholeTable } from "../../shared/tables/rows.ts";

/** Azurite for a test file; each table is a new one. */
export async function startAzurite(): Promise<{ newTable(): Promise<Rows & WholeTable>; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "azurite-"));
  const port = await freePort();
  const child = await startTables(port, join(directory, "azurite.log"));
  return {
    async newTable() {
      const name = `t${randomUUID().replaceAll("-", "")}`;
      const table = TableClient.fromConnectionString(tablesConnection(port), name, { allowInsecureConnection: true });
      await table.createTable();
      return azureRows(table);
    },
    async stop() {
      await child.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
