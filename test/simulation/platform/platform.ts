import type { InvocationContext } from "@azure/functions";
import { workers } from "../../../functions/workers.ts";
import overrides from "../../../infra/azure/service-bus/overrides.json" with { type: "json" };
import { standardTimings, type Timings } from "../../../shared/domain/timings.ts";
import type { BareAlert, BareAlerts } from "../../../shared/ports/bare-alerts.ts";
import type { Codes } from "../../../shared/ports/codes.ts";
import type { QueueName } from "../../../shared/ports/queues.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import type { LineOf, Log } from "../../../shared/ports/log.ts";
import type { KeyedTerminal } from "../../../shared/stores/terminals.ts";
import type { QueueWorker } from "../../../shared/adapters/queues/queue-worker.ts";
import { tablePorts, type TablePorts } from "../../../shared/stores/stores.ts";
import { Refused } from "../world/dependency-call.ts";
import type { Invocation } from "../world/invocation.ts";
import type { World } from "../world/world.ts";
import { createHosts, type Host } from "./hosts.ts";
import { addressKey, createMailServer, type MailServer } from "./mail-server.ts";
import { ahead, createServiceBus, type HandleMessage, type ServiceBus } from "./service-bus.ts";
import { createStores, type Stores } from "./stores.ts";
import { createWebhookServer, type WebhookServer } from "./webhook-server.ts";

/** A line of the log about an alert. */
interface AlertLine extends LineOf<"alertRaised"> {
  readonly event: "alertRaised" | "alertMended";
}

/** The whole platform of one world, as its users see it. */
export interface Platform {
  readonly stores: Stores;
  /** The real ports, on tables without faults, for set-up and checks. */
  readonly ports: TablePorts;
  readonly timings: Timings;
  readonly bus: ServiceBus;
  readonly webhookServer: WebhookServer;
  readonly mailServer: MailServer;
  /** The log lines of raised alerts. */
  readonly logged: readonly AlertLine[];
  /** The bare alerts that the queue accepted and whose caller got the confirmation. */
  readonly taken: readonly BareAlert[];
  /** The dependencies that the composition root would give a function in this process. */
  depsOf(invocation: Invocation): Deps;
  /** Ends every process, including its running work. */
  stop(): void;
  /** Starts the platform on restored tables and new queues. Log lines and events of lost changes do not count any more. */
  start(sessions: readonly Restored[]): Promise<void>;
  /** The log of the import. */
  readonly importLog: Log;
}

/** A session as it was restored. */
interface Restored {
  readonly plan: { readonly partnerId: string; readonly sessionId: string };
  readonly history: readonly { readonly sequence: number }[];
  readonly commands: readonly Pick<Command, "effects">[];
}
export type Deps = ReturnType<typeof compose>;

/** The longer pause after a failed void, in seconds. All tries end within 32 times as long. */
export const RETRY_VOID = 3_600;

export function createPlatform(world: World): Platform {
  const stores = createStores(world);
  const webhookServer = createWebhookServer(world);
  const mailServer = createMailServer(world);
  // The offline check of terminals is off, because with wrong clocks it would refuse payments that the simulation needs.
  const timings: Timings = {
    ...standardTimings,
    offlineAfterSeconds: Infinity,
    // Days must settle before the world ends.
    dayTotalsSeconds: 2 * 3600,
    // Shorter than a terminal's possible silence, or so long that the last try ends before the world does.
    retryVoidSeconds: world.random.pick(RETRY_VOID, 20 * 60),
    heartbeatSeconds: world.random.pick(30, 86_400, 86_400),
  };
  const logged: AlertLine[] = [];
  const taken: BareAlert[] = [];
  const hostOf = createHosts(world, stores, timings);
  const depsOf = (invocation: Invocation) =>
    compose(invocation, {
      world,
      stores,
      bus,
      webhookServer,
      mailServer,
      logged,
      taken,
      timings,
      host: hostOf(invocation),
    });
  const handle: HandleMessage = async (invocation, { queue, body, enqueuedAt, messageId, deliveries }) => {
    const handler = workerFor[queue].handler(depsOf(invocation));
    // The handler reads only the broker's data of the message from its context.
    const context = {
      triggerMetadata: { enqueuedTimeUtc: enqueuedAt, messageId, deliveryCount: deliveries },
    } as unknown as InvocationContext;
    await handler(world.faultPlan.fault(0.01, "host of an earlier version") ? ahead(body) : body, context);
  };
  const bus = createServiceBus(world, handle);
  const ports = tablePorts(stores.plain);
  return {
    stores,
    ports,
    timings,
    bus,
    webhookServer,
    mailServer,
    logged,
    taken,
    depsOf,
    importLog: logOf(world, logged),
    stop() {
      for (const process of world.processes) process.die();
      bus.renew();
    },
    async start(sessions) {
      taken.length = 0;
      const causes = new Set((await ports.alerts.all()).flatMap((alert) => alert.causes));
      const isKept = ({ session, partner, sequence, cause }: AlertLine): boolean =>
        cause === undefined
          ? sessions.some(
              ({ plan, history }) =>
                plan.sessionId === session &&
                plan.partnerId === partner &&
                history.some((entry) => entry.sequence === sequence),
            )
          : causes.has(cause);
      logged.splice(0, logged.length, ...logged.filter(isKept));
      const effects = sessions.flatMap(({ commands }) => commands.flatMap((command) => command.effects));
      webhookServer.keepOnly(new Set(effects.flatMap((effect) => (effect.kind === "webhook" ? [effect.eventId] : []))));
      stores.wakeTerminals();
    },
  };
}

/** No terminal of a world is retired, and hosts cache terminals, so a refund finds its terminal without a call. */
export const rememberingTerminals = (deps: Deps) => ({
  ...deps,
  terminals: {
    ...deps.terminals,
    findKey: async (terminalId: string): Promise<KeyedTerminal> => {
      const named = { terminalId, idAsReceived: terminalId, partnerId: "", merchantId: "" };
      return { ...named, keyHash: "", pepperId: "" };
    },
  },
});

const workerFor = Object.fromEntries(workers.map((worker) => [worker.name, worker])) as unknown as Readonly<
  Record<QueueName, QueueWorker<Deps>>
>;

/** A code is its token's identifier. A mailbox's key differs from its address. */
const codes: Codes = {
  newCodeOf: (tokenId) => ({ codeKeyId: "only", codeHash: tokenId }),
  codeOf: (tokenId) => tokenId,
  hashesOf: (code) => [code],
  addressKeys: (email) => [addressKey(email)],
  countKeys: (name) => [addressKey(name)],
};
interface Surroundings {
  readonly world: World;
  readonly stores: Stores;
  readonly bus: ServiceBus;
  readonly webhookServer: WebhookServer;
  readonly mailServer: MailServer;
  readonly logged: AlertLine[];
  readonly taken: BareAlert[];
  readonly host: Host;
  readonly timings: Timings;
}

function withTaken<P extends { readonly bareAlerts: BareAlerts }>(ports: P, taken: BareAlert[]): P {
  const send: BareAlerts["send"] = async (alert, at) => {
    await ports.bareAlerts.send(alert, at);
    taken.push(alert);
  };
  return { ...ports, bareAlerts: { send } };
}

/** Stores the lines of alerts. A worker or a request that fails by an error of the platform itself is a violation. */
const logOf = (world: World, logged: AlertLine[]): Log => ({
  write(event, line: LineOf<"alertRaised"> & LineOf<"effectFailed"> & LineOf<"requestFailed">) {
    if (event === "alertRaised" || event === "alertMended") logged.push({ event, ...line });
    if (line.error === Refused.name) return;
    if (event === "effectFailed") world.violate("a worker failed", JSON.stringify(line));
    if (event === "requestFailed") world.violate("a request failed", JSON.stringify(line));
  },
  within: (_names, _invocation, work) => work(),
  note: () => {},
});

const compose = (
  invocation: Invocation,
  { world, stores, bus, webhookServer, mailServer, logged, taken, host, timings }: Surroundings,
) => {
  const tables = tablePorts(stores.reachedBy(invocation));
  return {
    ...tables,
    ...withTaken(bus.portsOf(invocation), taken),
    webhooks: webhookServer.reachedBy(invocation),
    codes,
    mails: mailServer.reachedBy(invocation),
    log: logOf(world, logged),
    ...host,
    clock: invocation.clock,
    newId: world.newId,
    timings,
    maxDeliveryCount: overrides.MaxDeliveryCount,
  };
};
