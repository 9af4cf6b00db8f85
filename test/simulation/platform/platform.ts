import type { InvocationContext } from "@azure/functions";
import { accessTokens } from "../../../functions/workers/access-tokens.ts";
import { deadlines } from "../../../functions/workers/deadlines.ts";
import { terminalMessages } from "../../../functions/workers/terminal-messages.ts";
import { webhookDeliveries } from "../../../functions/workers/webhook-deliveries.ts";
import { standardTimings, type Timings } from "../../../shared/domain/timings.ts";
import type { Codes } from "../../../shared/ports/codes.ts";
import type { QueueName } from "../../../shared/ports/announcements.ts";
import type { Mails } from "../../../shared/ports/mails.ts";
import type { QueueWorker } from "../../../shared/queues/queue-worker.ts";
import { accessTokenTemplatesTable } from "../../../shared/tables/access-token-templates-table.ts";
import { accessTokensTable } from "../../../shared/tables/access-tokens-table.ts";
import { actionRequestsTable } from "../../../shared/tables/action-requests-table.ts";
import { commandsTable } from "../../../shared/tables/commands-table.ts";
import { inboxesTable } from "../../../shared/tables/inboxes-table.ts";
import { landingPagesTable } from "../../../shared/tables/landing-pages-table.ts";
import { ordersTable } from "../../../shared/tables/orders-table.ts";
import { partnersTable } from "../../../shared/tables/partners-table.ts";
import { paymentsTable } from "../../../shared/tables/payments-table.ts";
import { terminalsTable } from "../../../shared/tables/terminals-table.ts";
import type { Invocation } from "../world/invocation.ts";
import type { World } from "../world/world.ts";
import { createServiceBus, type HandleMessage, type ServiceBus } from "./service-bus.ts";
import { createStores, type Stores, type Tables } from "./stores.ts";
import { createWebhookServer, type WebhookServer } from "./webhook-server.ts";

/** The real ports on tables: with faults for whom the platform runs, plain for whoever looks. */
const portsOn = (tables: Tables) => ({
  payments: paymentsTable(tables.payments),
  commands: commandsTable(tables),
  actionRequests: actionRequestsTable(tables.actionRequests),
  accessTokens: accessTokensTable(tables.accessTokens),
  accessTokenTemplates: accessTokenTemplatesTable(tables.accessTokenTemplates),
  landingPages: landingPagesTable(tables.landingPages),
  terminals: terminalsTable(tables.terminals),
  inboxes: inboxesTable(tables.terminals),
  orders: ordersTable(tables.orders),
  partners: partnersTable(tables.partners),
});
export type Ports = ReturnType<typeof portsOn>;

/** The whole platform of one world, as its users reach it. */
export interface Platform {
  readonly stores: Stores;
  readonly ports: Ports;
  readonly bus: ServiceBus;
  readonly webhookServer: WebhookServer;
  /** What the composition root would give a function that runs in this process. */
  depsOf(invocation: Invocation): Deps;
}
export type Deps = ReturnType<typeof compose>;

export function createPlatform(world: World): Platform {
  const stores = createStores(world);
  const webhookServer = createWebhookServer(world);
  // The offline check is a courtesy that no wrong clock shall spoil: it would refuse what a simulation wants to see.
  const timings: Timings = {
    ...standardTimings,
    offlineAfterSeconds: Infinity,
    heartbeatSeconds: world.random.pick(15, 86_400, 86_400),
  };
  const depsOf = (invocation: Invocation) => compose(invocation, { world, stores, bus, webhookServer, timings });
  const handle: HandleMessage = async (invocation, { queue, announcement, enqueuedAt }) => {
    const { handler } = workerFor[queue](depsOf(invocation));
    // All that the handler reads of its context is what the broker says of the message.
    const context = { triggerMetadata: { enqueuedTimeUtc: enqueuedAt } } as unknown as InvocationContext;
    await handler(announcement, context);
  };
  const bus = createServiceBus(world, handle);
  return { stores, ports: portsOn(stores.plain), bus, webhookServer, depsOf };
}

const workerFor: Readonly<Record<QueueName, (deps: Deps) => QueueWorker>> = {
  "terminal-messages": terminalMessages,
  "webhook-deliveries": webhookDeliveries,
  deadlines,
  "access-tokens": accessTokens,
};

/** A code is its voucher's identifier. */
const codes: Codes = { codeOf: (tokenId) => tokenId, keyOf: (code) => code, addressKey: (email) => email };
/** Vouchers are in their customers' hands when this world begins. */
const mails: Mails = {
  send: () => Promise.reject(new Error("nobody is mailed in this world")),
  nextAttemptAfter: () => undefined,
};

interface Surroundings {
  readonly world: World;
  readonly stores: Stores;
  readonly bus: ServiceBus;
  readonly webhookServer: WebhookServer;
  readonly timings: Timings;
}

const compose = (invocation: Invocation, { world, stores, bus, webhookServer, timings }: Surroundings) => ({
  ...portsOn(stores.reachedBy(invocation)),
  announcements: bus.announcementsOf(invocation),
  webhooks: webhookServer.reachedBy(invocation),
  codes,
  mails,
  clock: invocation.clock,
  newId: world.newId,
  timings,
});
