import { TableServiceClient } from "@azure/data-tables";
import type { TablesAccount } from "../../../shared/adapters/tables/azure-tables.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";

/** Creates the platform's missing tables in the account. Returns the names of all tables, and whether each existed before. */
export async function createTables(
  account: TablesAccount,
): Promise<readonly { readonly table: string; readonly existed: boolean }[]> {
  const service = tableService(account);
  const there = new Set<string>();
  for await (const { name = "" } of service.listTables()) there.add(name);
  return Promise.all(
    Object.values(tableNames).map(async (table) => {
      const existed = there.has(table);
      if (!existed) await service.createTable(table); // the SDK ignores a table that another run created meanwhile
      return { table, existed };
    }),
  );
}

const tableService = (account: TablesAccount): TableServiceClient =>
  typeof account === "string"
    ? TableServiceClient.fromConnectionString(account, { allowInsecureConnection: account.includes("http://") })
    : new TableServiceClient(account.endpoint, account.credential);
