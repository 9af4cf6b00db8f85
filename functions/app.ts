import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { app } from "@azure/functions";
import { TableClient } from "@azure/data-tables";
import { ServiceBusClient } from "@azure/service-bus";
import { readConfig, SERVICE_BUS_SETTING } from "../shared/config.ts";
import { keyedCodes } from "../shared/codes/keyed-codes.ts";
import { basicCredentials } from "../shared/http/basic-credentials.ts";
import { cachedPartners } from "../shared/http/cached-partners.ts";
import type { Edge } from "../shared/http/http-function.ts";
import { smtpMails } from "../shared/mails/smtp-mails.ts";
import type { Clock } from "../shared/ports/clock.ts";
import { announcementsQueue } from "../shared/queues/announcements-queue.ts";
import { accessTokenTemplatesTable } from "../shared/tables/access-token-templates-table.ts";
import { accessTokensTable } from "../shared/tables/access-tokens-table.ts";
import { actionRequestsTable } from "../shared/tables/action-requests-table.ts";
import { azureRows } from "../shared/tables/azure-rows.ts";
import { commandsTable } from "../shared/tables/commands-table.ts";
import { inboxesTable } from "../shared/tables/inboxes-table.ts";
import { landingPagesTable } from "../shared/tables/landing-pages-table.ts";
import { ordersTable } from "../shared/tables/orders-table.ts";
import { partnersTable } from "../shared/tables/partners-table.ts";
import { paymentsTable } from "../shared/tables/payments-table.ts";
import { tableNames } from "../shared/tables/table-names.ts";
import { terminalsTable } from "../shared/tables/terminals-table.ts";
import { httpWebhooks, webhookUrlCheck } from "../shared/webhooks/http-webhooks.ts";
import { getLandingPage } from "./consumer/get-landing-page.ts";
import { landingPageRequest } from "./consumer/landing-page-request.ts";
import { actionRequest } from "./partners/action-request.ts";
import { actionRequestResponse } from "./partners/action-request-response.ts";
import { addDiscountToPayment } from "./partners/add-discount.ts";
import { posPayment } from "./partners/pos-payment.ts";
import { posPaymentCancel } from "./partners/pos-payment-cancel.ts";
import { posPaymentCapture } from "./partners/pos-payment-capture.ts";
import { posPaymentRefund } from "./partners/pos-payment-refund.ts";
import { posPaymentRequest } from "./partners/pos-payment-request.ts";
import { posPaymentTimeline } from "./partners/pos-payment-timeline.ts";
import { posStatus } from "./partners/pos-status.ts";
import { setPosStatus } from "./partners/set-pos-status.ts";
import { nextTerminalMessage } from "./terminals/next-message.ts";
import { raiseAction } from "./terminals/raise-action-request.ts";
import { report } from "./terminals/report.ts";
import { accessTokens } from "./workers/access-tokens.ts";
import { deadlines } from "./workers/deadlines.ts";
import { terminalMessages } from "./workers/terminal-messages.ts";
import { webhookDeliveries } from "./workers/webhook-deliveries.ts";

// The composition root: the only file that reads the environment, builds clients and registers functions.

const config = readConfig(process.env);
const clock: Clock = { now: () => new Date().toISOString(), sleep: (ms) => sleep(ms) };
const newId = () => randomUUID();

const rows = (table: string) =>
  azureRows(
    TableClient.fromConnectionString(config.tablesConnection, table, {
      allowInsecureConnection: config.tablesConnection.includes("http://"),
      retryOptions: { maxRetries: 2, retryDelayInMs: 100, maxRetryDelayInMs: 400 },
    }),
  );
const serviceBus = new ServiceBusClient(config.serviceBusConnection, {
  // The client's own delay is 30 s: an outage of one second would cost the next request 29 more.
  retryOptions: { maxRetries: 3, retryDelayInMs: 200, timeoutInMs: 2_000 },
});

const payments = rows(tableNames.payments);
const terminals = rows(tableNames.terminals);
const actionRequests = rows(tableNames.actionRequests);
const landingPages = rows(tableNames.landingPages);
const deps = {
  payments: paymentsTable(payments),
  commands: commandsTable({ payments, actionRequests, landingPages }),
  actionRequests: actionRequestsTable(actionRequests),
  landingPages: landingPagesTable(landingPages),
  accessTokens: accessTokensTable(rows(tableNames.accessTokens)),
  accessTokenTemplates: accessTokenTemplatesTable(rows(tableNames.accessTokenTemplates)),
  codes: keyedCodes(config.tokenCodeKey),
  mails: smtpMails(config.smtp),
  checkBasic: basicCredentials(config.consumers, clock),
  terminals: terminalsTable(terminals),
  inboxes: inboxesTable(terminals),
  orders: ordersTable(rows(tableNames.orders)),
  partners: cachedPartners(partnersTable(rows(tableNames.partners)), clock),
  announcements: announcementsQueue(serviceBus),
  webhooks: httpWebhooks({ allowLoopback: config.allowLoopbackWebhooks, random: Math.random }),
  checkWebhookUrl: webhookUrlCheck({ allowLoopback: config.allowLoopbackWebhooks }),
  clock,
  newId,
  timings: config.timings,
};
const edge: Edge = { ...deps, peppers: config.peppers, patienceMs: 3_000 };

const endpoints = [
  landingPageRequest(deps),
  getLandingPage(deps),
  posPaymentRequest(deps),
  posPaymentCancel(deps),
  posPaymentCapture(deps),
  posPaymentRefund(deps),
  posPayment(deps),
  posPaymentTimeline(deps),
  addDiscountToPayment(deps),
  posStatus(deps),
  setPosStatus(deps),
  actionRequest(deps),
  actionRequestResponse(deps),
  nextTerminalMessage(deps),
  report(deps),
  raiseAction(deps),
];
for (const { name, method, route, behind } of endpoints) {
  app.http(name, { methods: [method], route, authLevel: "function", handler: behind(edge) });
}

for (const { name, handler } of [
  terminalMessages(deps),
  webhookDeliveries(deps),
  deadlines(deps),
  accessTokens(deps),
]) {
  app.serviceBusQueue(name, { queueName: name, connection: SERVICE_BUS_SETTING, handler });
}
