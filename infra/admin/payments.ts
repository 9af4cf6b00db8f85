import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { TableClient } from "@azure/data-tables";
import { ServiceBusClient } from "@azure/service-bus";
import { toPaymentObject } from "../../shared/contracts/payment-object.ts";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import { standardTimings } from "../../shared/domain/timings.ts";
import { announcementsQueue } from "../../shared/queues/announcements-queue.ts";
import { azureRows } from "../../shared/tables/azure-rows.ts";
import { commandsTable } from "../../shared/tables/commands-table.ts";
import { paymentsTable } from "../../shared/tables/payments-table.ts";
import { tableNames } from "../../shared/tables/table-names.ts";
import { settlePayment } from "../../shared/use-cases/settle-payment.ts";
import type { Command } from "./command.ts";
import { readConnections } from "./connections.ts";

export const resolvePayment: Command = {
  name: "payment resolve",
  usage: "--partner <partnerID> --session <sessionID> --outcome paid|unpaid --by <who> --why <text>",
  does: "settles a reconciling payment whose terminal is gone, as the acquirer's records say; recorded with who and why",
  async run(args) {
    const text = { type: "string" } as const;
    const options = { partner: text, session: text, outcome: text, by: text, why: text };
    const { partner = "", session = "", outcome, by, why } = parseArgs({ args, options }).values;
    if (!isIdentifier(partner) || !isIdentifier(session))
      throw new Error("Name the payment: --partner and --session are identifiers.");
    if (outcome !== "paid" && outcome !== "unpaid") throw new Error("--outcome is paid or unpaid.");
    if (!by || !why) throw new Error("Say --by whom and --why.");

    const { tables, serviceBus } = await readConnections();
    const rows = (table: string) =>
      azureRows(
        TableClient.fromConnectionString(tables, table, { allowInsecureConnection: tables.includes("http://") }),
      );
    const payments = rows(tableNames.payments);
    const bus = new ServiceBusClient(serviceBus, { retryOptions: { retryDelayInMs: 500 } });
    try {
      const settled = await settlePayment(
        {
          payments: paymentsTable(payments),
          commands: commandsTable({
            payments,
            actionRequests: rows(tableNames.actionRequests),
            landingPages: rows(tableNames.landingPages),
          }),
          announcements: announcementsQueue(bus),
          clock: { now: () => new Date().toISOString(), sleep: (ms) => sleep(ms) },
          newId: () => randomUUID(),
          timings: standardTimings,
        },
        { partnerId: partner.toLowerCase(), sessionId: session.toLowerCase() },
        { outcome, by, why },
      );
      if (settled.ok) return toPaymentObject(settled.value);
      const { code, currentStatus } = settled.error;
      throw new Error(
        code === "payment_not_found"
          ? "There is no such payment."
          : `Only a reconciling payment can be settled; this one is ${currentStatus}.`,
      );
    } finally {
      await bus.close();
    }
  },
};
