import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { TableClient } from "@azure/data-tables";
import { ServiceBusClient } from "@azure/service-bus";
import { standardTimings } from "../../shared/domain/timings.ts";
import { announcementsQueue } from "../../shared/queues/announcements-queue.ts";
import { accessTokenTemplatesTable } from "../../shared/tables/access-token-templates-table.ts";
import { accessTokensTable } from "../../shared/tables/access-tokens-table.ts";
import { azureRows } from "../../shared/tables/azure-rows.ts";
import { commandsTable } from "../../shared/tables/commands-table.ts";
import { landingPagesTable } from "../../shared/tables/landing-pages-table.ts";
import { paymentsTable } from "../../shared/tables/payments-table.ts";
import { tableNames } from "../../shared/tables/table-names.ts";
import type { Connections } from "./connections.ts";

export const clock = { now: () => new Date().toISOString(), sleep: (ms: number) => sleep(ms) };
export const newId = () => randomUUID();

export type Tables = ReturnType<typeof openTables>;

/** The tables of where the operator works, as rows and as the platform's own ports. */
export function openTables({ tables }: Connections) {
  const allowInsecureConnection = tables.includes("http://");
  const client = (table: string) => TableClient.fromConnectionString(tables, table, { allowInsecureConnection });
  const rows = (table: string) => azureRows(client(table));
  const [payments, actionRequests, landingPages] = [
    rows(tableNames.payments),
    rows(tableNames.actionRequests),
    rows(tableNames.landingPages),
  ];
  return {
    client,
    templates: accessTokenTemplatesTable(rows(tableNames.accessTokenTemplates)),
    accessTokens: accessTokensTable(rows(tableNames.accessTokens)),
    landingPages: landingPagesTable(landingPages),
    payments: paymentsTable(payments),
    commands: commandsTable({ payments, actionRequests, landingPages }),
  };
}

export type Platform = Tables & ReturnType<typeof withQueues>;

const withQueues = (bus: ServiceBusClient) => ({
  announcements: announcementsQueue(bus),
  clock,
  newId,
  timings: standardTimings,
});

/** Lets a command do what the platform itself does, on tables and queues, and takes leave of them afterwards. */
export async function withPlatform<T>(connections: Connections, act: (platform: Platform) => Promise<T>): Promise<T> {
  const bus = new ServiceBusClient(connections.serviceBus, { retryOptions: { retryDelayInMs: 500 } });
  try {
    return await act({ ...openTables(connections), ...withQueues(bus) });
  } finally {
    await bus.close();
  }
}
