import { randomUUID } from "node:crypto";
import { TableClient } from "@azure/data-tables";
import { inject } from "vitest";
import { tablesConnection } from "../../packages/workbench/stack/azurite.ts";
import { azureRows } from "../../shared/adapters/tables/azure-rows.ts";
import type { Rows, WholeTable } from "../../shared/ports/rows.ts";

/** A new table on the Azurite that the test files share. A test that stops or breaks Azurite starts its own. */
export async function newTable(): Promise<Rows & WholeTable> {
  const name = `t${randomUUID().replaceAll("-", "")}`;
  const connection = tablesConnection(inject("azurite"));
  const table = TableClient.fromConnectionString(connection, name, { allowInsecureConnection: true });
  await table.createTable();
  return azureRows(table);
}
