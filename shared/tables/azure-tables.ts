import { TableClient, type TableServiceClientOptions } from "@azure/data-tables";
import { azureRows } from "./azure-rows.ts";
import { signWithKeyOf } from "./shared-key.ts";
import { eachTable, type Table, type Tables } from "./table-ports.ts";
import { tableNames } from "./table-names.ts";

/** The client of one of the platform's tables. Plain HTTP is allowed only where the connection string itself names it, as for Azurite. */
export function tableClient(connection: string, table: Table, options: TableServiceClientOptions = {}): TableClient {
  const client = TableClient.fromConnectionString(connection, tableNames[table], {
    ...options,
    allowInsecureConnection: connection.includes("http://"),
  });
  signWithKeyOf(connection, client);
  return client;
}

/** The platform's tables in a storage account. No call is made before a table is used. */
export const azureTables = (connection: string, options?: TableServiceClientOptions): Tables =>
  eachTable((table) => azureRows(tableClient(connection, table, options)));
