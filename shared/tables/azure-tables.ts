import { TableClient, type TableServiceClientOptions } from "@azure/data-tables";
import { oldestVersion } from "../ports/stored-forms.ts";
import { azureRows } from "./azure-rows.ts";
import { rowsInForm } from "./rows-in-form.ts";
import { eachTable, type Table, type WholeTables } from "../stores/stores.ts";
import { tableNames } from "../stores/table-names.ts";

/** What gets access tokens for an identity, as `@azure/identity` has it. */
export interface TokenCredential {
  getToken(
    scopes: string | string[],
    options?: object,
  ): Promise<{ readonly token: string; readonly expiresOnTimestamp: number } | null>;
}

/** A storage account: its connection string, or its https address with the identity whose tokens the SDK sends. */
export type TablesAccount = string | { readonly endpoint: string; readonly credential: TokenCredential };

/** The client of one of the platform's tables. Plain HTTP is allowed only where a connection string itself names it, as for Azurite. */
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
 * The platform's tables in a storage account. No call is made before a table is used. Records are written in the form of a version: where
 * left out, of the oldest one that this release reads.
 */
export const azureTables = (
  account: TablesAccount,
  options?: TableServiceClientOptions,
  writeVersion = oldestVersion,
): WholeTables => eachTable((table) => rowsInForm(azureRows(tableClient(account, table, options)), writeVersion));
