import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { app } from "@azure/functions";
import { getProgrammingModel, setProgrammingModel } from "@azure/functions-core";
import { readConfig, readProblemPagesUrl, SERVICE_BUS_SETTING, settingsCheck } from "../shared/edge/settings/config.ts";
import { checkNode } from "../shared/edge/settings/check-node.ts";
import { withCredential } from "../shared/edge/settings/connection-settings.ts";
import { endingWithoutTokens } from "../shared/adapters/identity/ending-without-tokens.ts";
import { managedIdentity } from "../shared/adapters/identity/managed-identity.ts";
import { readingHeaders } from "../shared/edge/http/readable-headers.ts";
import { unableToStart } from "../shared/edge/http/unable-to-start.ts";
import { jsonLog } from "../shared/adapters/log/json-log.ts";
import { keyedCodes } from "../shared/adapters/codes/keyed-codes.ts";
import { basicCredentials } from "../shared/edge/auth/basic-credentials.ts";
import { cachedPartners } from "../shared/edge/auth/cached-partners.ts";
import { cachedTerminals } from "../shared/edge/auth/cached-terminals.ts";
import { notingKeyUses } from "../shared/edge/auth/key-uses.ts";
import { signingSecrets } from "../shared/edge/auth/signing-secrets.ts";
import { rehashingKeys } from "../shared/edge/auth/rehash-keys.ts";
import { smtpMails } from "../shared/adapters/mails/smtp-mails.ts";
import type { Clock } from "../shared/ports/clock.ts";
import { Unavailable } from "../shared/ports/failures.ts";
import { loggedError } from "../shared/ports/logged-error.ts";
import { IS_MISSING, WrongSettings } from "../shared/ports/wrong-settings.ts";
import { busClient } from "../shared/adapters/queues/bus-client.ts";
import { portsOn } from "../shared/adapters/queues/queue-ports.ts";
import { queueSender } from "../shared/adapters/queues/queue-sender.ts";
import { queuesCheck } from "../shared/adapters/queues/queues-check.ts";
import { replacedBus } from "../shared/adapters/queues/replaced-bus.ts";
import { withShownErrors } from "../shared/adapters/queues/shown-errors.ts";
import { azureTables } from "../shared/adapters/tables/azure-tables.ts";
import { tablePorts } from "../shared/stores/stores.ts";
import { tablesCheck } from "../shared/adapters/tables/tables-check.ts";
import { readTraceSettings } from "../shared/adapters/tracing/settings.ts";
import { startTracing, untraced } from "../shared/adapters/tracing/tracing.ts";
import { impairedPart } from "../shared/use-cases/alerts/impaired-part.ts";
import { sharedBells } from "../shared/use-cases/bells/shared-bells.ts";
import { feedWriter } from "../shared/use-cases/feed/feed-writer.ts";
import { heartbeats } from "../shared/use-cases/terminals/heartbeats.ts";
import { newestPolls } from "../shared/use-cases/bells/newest-polls.ts";
import { httpWebhooks, webhookUrlCheck } from "../shared/adapters/webhooks/http-webhooks.ts";
import { endpoints } from "./endpoints.ts";
import { healthDetail } from "./operators/health-detail.ts";
import { health } from "./probes/health.ts";
import { warmUp } from "./warm-up.ts";
import { workers } from "./workers.ts";

/** Written into the bundle by the build: the version of package.json, and the commit if it is known. */
declare const APP_VERSION: string;
/** Written by the build, too: the oldest Node that the bundle supports. */
declare const OLDEST_NODE: string;

// The composition root: the only file that reads the environment, builds clients and registers functions.

const clock: Clock = { now: () => new Date().toISOString(), sleep: (ms) => sleep(ms) };
const newId = () => randomUUID();

const log = jsonLog({ now: clock.now, version: APP_VERSION, output: console });

/** Builds the platform. Throws `WrongSettings` if it cannot start with these settings or on this Node. */
// oxlint-disable-next-line max-lines-per-function -- it only wires parts
function platform(environment: NodeJS.ProcessEnv, node: string) {
  checkNode(node, OLDEST_NODE);
  const config = readConfig(environment);
  const instance = newId();
  const traceSettings = readTraceSettings(environment);
  const tracing = traceSettings
    ? startTracing({
        settings: traceSettings,
        resource: {
          "service.name": "terminal-payments",
          "service.instance.id": instance,
          "service.version": APP_VERSION,
        },
        troubled: impairedPart("traces", log, clock),
      })
    : untraced;

  const watched = endingWithoutTokens({
    ageMs: () => process.uptime() * 1_000,
    now: Date.now,
    end() {
      log.write("identityFailed", {});
      process.exit(1); // the host starts no other process after 0
    },
  });
  const identity = (clientId: string | undefined) => watched(managedIdentity(clientId));
  const rows = builtFrom("TABLES_CONNECTION", () =>
    azureTables(
      withCredential(config.connections.tables, identity),
      { retryOptions: { maxRetries: 2, retryDelayInMs: 100, maxRetryDelayInMs: 400 } },
      config.writeVersion,
    ),
  );
  const { rungBells, ...tables } = tablePorts(tracing.tables(rows));
  const connectBus = () =>
    busClient(withCredential(config.connections.serviceBus, identity), {
      // The client's own delay is 30 s. After an outage of one second, the next request would wait another 29 s.
      retryOptions: { maxRetries: 3, retryDelayInMs: 200, timeoutInMs: 2_000 },
    });
  const bus = builtFrom(SERVICE_BUS_SETTING, () => replacedBus(connectBus, () => performance.now()));
  const senders = queueSender(bus, config.writeVersion);

  const queueNames = workers.map(({ name }) => name);
  const queues = tracing.queues(portsOn(senders));
  const bells = sharedBells({
    rungBells,
    clock,
    ringer: instance,
    everyMs: 50,
    troubled: impairedPart("bells", log, clock),
  });
  const deps = {
    ...tables,
    partners: cachedPartners(tables.partners, clock),
    terminals: cachedTerminals(tables.terminals, clock),
    codes: keyedCodes(config.tokenCodeKeys),
    signing: signingSecrets(config.webhookSecretKeys),
    inboxes: tracing.inboxes(tables.inboxes),
    mails: tracing.mails(smtpMails(config.smtp)),
    checkBasic: basicCredentials(config.consumers),
    ...queues,
    announcements: bells.expecting(queues.announcements),
    webhooks: tracing.webhooks(httpWebhooks({ allowLoopback: config.allowLoopbackWebhooks, random: Math.random })),
    checkWebhookUrl: webhookUrlCheck({ allowLoopback: config.allowLoopbackWebhooks }),
    bells,
    polls: newestPolls({ mostPolls: config.pollsOfInstance, random: Math.random }),
    feed: feedWriter({ ...tables, clock }),
    heartbeats: heartbeats(config.timings.heartbeatSeconds),
    clock,
    newId,
    log: tracing.log(log),
    timings: config.timings,
    peppers: config.peppers,
    rehashKey: rehashingKeys(config.peppers, clock, log),
    noteKeyUse: notingKeyUses({ ...tables, bareAlerts: queues.bareAlerts, clock, log }),
    maxDeliveryCount: config.maxDeliveryCount,
    responseTimeoutMs: 3_000,
    problemPagesUrl: config.problemPagesUrl,
  };
  app.hook.appStart(tracing.ready);
  app.hook.appStart(() => warmUp([() => senders.open(queueNames), () => rows.partners.get("warm-up", "warm-up")]));
  // 30 s after SIGTERM, Azure's host cuts off waiting requests, and only then runs this hook. If the host ends only the worker, waiting
  // polls get their responses here.
  app.hook.appTerminate(() => {
    log.write("stopping", {});
    deps.polls.stop();
  });
  // A waiting poll would delay the stop of a local host. That host runs the app in its own process, and sends `drain` when it begins to
  // stop.
  process.on("message", (message) => {
    if (message === "drain") deps.polls.stop();
  });
  app.hook.appTerminate(tracing.end);

  return {
    health: health.handler,
    endpoints: endpoints.map(({ contract, handler }) => ({
      contract,
      handler: tracing.endpoint(contract, handler(deps)),
    })),
    workers: workers.map(({ name, handler }) => ({
      name,
      handler: withShownErrors(tracing.worker(name, handler(deps))),
    })),
    healthChecks: [tablesCheck(rows), queuesCheck(bus, queueNames), settingsCheck(environment)],
  };
}

/** Builds a client from its setting. The client's own error is left out, because it may hold a part of the secret. */
function builtFrom<Client>(setting: string, build: () => Client): Client {
  try {
    return build();
  } catch {
    throw new WrongSettings([{ setting, reason: "cannot be read" }]);
  }
}

/**
 * The functions of an app that cannot start. If it registered nothing, the host would look healthy, with an empty 404 for each operation.
 * Instead, each operation responds 503, so that callers retry. There are no workers. They could neither carry out nor postpone anything,
 * and each failed delivery would bring a message closer to the dead letters. Messages stay in their queues.
 */
function notStarted(error: unknown): ReturnType<typeof platform> {
  const wrong = new Map(error instanceof WrongSettings ? error.wrong.map((one) => [one.setting, one.reason]) : []);
  for (const [setting, reason] of wrong)
    log.write("notStarted", { setting, reason: reason.startsWith(IS_MISSING) ? "missing" : "wrong" });
  if (wrong.size === 0) log.write("notStarted", loggedError(error));
  const { message } = error instanceof WrongSettings ? error : new Error("The app cannot start.");
  const answering = { newId, log, problemPagesUrl: readProblemPagesUrl(process.env) };
  const check = async (): Promise<never> => {
    throw new Unavailable(message);
  };
  return {
    health: health.notStarted,
    endpoints: endpoints.map(({ contract }) => ({ contract, handler: unableToStart(contract, answering) })),
    workers: [],
    healthChecks: [{ name: "settings", check }],
  };
}

function started(): ReturnType<typeof platform> {
  try {
    const built = platform(process.env, process.versions.node);
    log.write("started", {});
    return built;
  } catch (error) {
    return notStarted(error);
  }
}

const registered = started();

for (const { contract, handler } of registered.endpoints) {
  const { name, method, route } = contract;
  app.http(name, { methods: [method], route, authLevel: "function", handler });
}

for (const { name, handler } of registered.workers) {
  app.serviceBusQueue(name, { queueName: name, connection: SERVICE_BUS_SETTING, handler });
}

app.http(health.name, {
  methods: [health.method],
  route: health.route,
  authLevel: "anonymous",
  handler: registered.health,
});
app.http(healthDetail.name, {
  methods: [healthDetail.method],
  route: healthDetail.route,
  authLevel: "function",
  handler: healthDetail.handler({ clock, version: APP_VERSION, healthChecks: registered.healthChecks }),
});

// The library is there only since the first registration.
setProgrammingModel(readingHeaders(getProgrammingModel()));
