import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { TableClient } from "@azure/data-tables";
import { ServiceBusClient } from "@azure/service-bus";
import { standardTimings } from "../../shared/domain/timings.ts";
import { announcementsQueue } from "../../shared/queues/announcements-queue.ts";
import { azureRows } from "../../shared/tables/azure-rows.ts";
import { commandsTable } from "../../shared/tables/commands-table.ts";
import { paymentsTable } from "../../shared/tables/payments-table.ts";
import { tableNames } from "../../shared/tables/table-names.ts";
import { readConnections } from "./connections.ts";

/** What the commands need that do to a payment what the platform itself does. */
export type Platform = ReturnType<typeof compose>;

function compose(tables: string, bus: ServiceBusClient) {
  const options = { allowInsecureConnection: tables.includes("http://") };
  const rows = (table: string) => azureRows(TableClient.fromConnectionString(tables, table, options));
  const payments = rows(tableNames.payments);
  const actionRequests = rows(tableNames.actionRequests);
  const landingPages = rows(tableNames.landingPages);
  return {
    payments: paymentsTable(payments),
    commands: commandsTable({ payments, actionRequests, landingPages }),
    announcements: announcementsQueue(bus),
    clock: { now: () => new Date().toISOString(), sleep: (ms: number) => sleep(ms) },
    newId: () => randomUUID(),
    timings: standardTimings,
  };
}

/** Lets a command work on the tables and queues of where the operator is, and takes leave of them afterwards. */
export async function withPlatform<T>(act: (platform: Platform) => Promise<T>): Promise<T> {
  const { tables, serviceBus } = await readConnections();
  const bus = new ServiceBusClient(serviceBus, { retryOptions: { retryDelayInMs: 500 } });
  try {
    return await act(compose(tables, bus));
  } finally {
    await bus.close();
  }
}
