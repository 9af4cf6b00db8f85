import { TableClient, type TableServiceClientOptions } from "@azure/data-tables";
import { oldestVersion } from "../../ports/stored-forms.ts";
import { azureRows } from "./azure-rows.ts";
import { rowsInForm } from "./rows-in-form.ts";
import { eachTable, type Table, type WholeTables } from "../../stores/stores.ts";
import { tableNames } from "../../stores/table-names.ts";

/** Gets access tokens for an identity, like the type in `@azure/identity`. */
export interface TokenCredential {
  getToken(
    scopes: string | string[],
    options?: object,
  ): Promise<{ readonly token: string; readonly expiresOnTimestamp: number } | null>;
}

/** A storage account: its connection string, or its https address with the identity whose tokens the SDK sends. */
export type TablesAccount = string | { readonly endpoint: string; readonly credential: TokenCredential };

/** The client of one of the platform's tables. Plain HTTP is only allowed if a connection string names it, as for Azurite. */
export function tableClient(
  account: TablesAccount,
  table: Table,
  options: TableServiceClientOptions = {},
): TableClient {
  if (typeof account !== "string")
    return new TableClient(account.endpoint, tableNames[table], account.credential, options);
  return TableClient.fromConnectionString(account, tableNames[table], {
    ...options,
    allowInsecureConnection: account.includes("http://"),
  });
}

/**
 * The platform's tables in a storage account. No call is made before a table is used. `writeVersion` is the version in whose form records
 * are written. The default is the oldest version that this release reads.
 */
export const azureTables = (
  account: TablesAccount,
  options?: TableServiceClientOptions,
  writeVersion = oldestVersion,
): WholeTables => eachTable((table) => rowsInForm(azureRows(tableClient(account, table, options)), writeVersion));
