import { TableClient } from "@azure/data-tables";
import { accessTokenTemplatesTable } from "../../shared/tables/access-token-templates-table.ts";
import { accessTokensTable } from "../../shared/tables/access-tokens-table.ts";
import { azureRows } from "../../shared/tables/azure-rows.ts";
import { landingPagesTable } from "../../shared/tables/landing-pages-table.ts";
import { paymentsTable } from "../../shared/tables/payments-table.ts";
import { tableNames } from "../../shared/tables/table-names.ts";
import type { Store } from "./command.ts";
import { readConnections } from "./connections.ts";

/** The tables of where the operator works. */
export async function openStore(): Promise<Store> {
  const { tables } = await readConnections();
  const options = { allowInsecureConnection: tables.includes("http://"), retryOptions: { maxRetries: 1 } };
  const rows = (table: string) => azureRows(TableClient.fromConnectionString(tables, table, options));
  return {
    templates: accessTokenTemplatesTable(rows(tableNames.accessTokenTemplates)),
    landingPages: landingPagesTable(rows(tableNames.landingPages)),
    accessTokens: accessTokensTable(rows(tableNames.accessTokens)),
    payments: paymentsTable(rows(tableNames.payments)),
  };
}
