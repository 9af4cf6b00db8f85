import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { app } from "@azure/functions";
import { ServiceBusClient } from "@azure/service-bus";
import { readConfig, SERVICE_BUS_SETTING, settingsCheck } from "../shared/config.ts";
import { jsonLog } from "../shared/log/json-log.ts";
import { keyedCodes } from "../shared/codes/keyed-codes.ts";
import { basicCredentials } from "../shared/auth/basic-credentials.ts";
import { cachedPartners } from "../shared/auth/cached-partners.ts";
import { cachedTerminals } from "../shared/auth/cached-terminals.ts";
import { rehashingKeys } from "../shared/auth/rehash-keys.ts";
import { smtpMails } from "../shared/mails/smtp-mails.ts";
import type { Clock } from "../shared/ports/clock.ts";
import { queuePorts } from "../shared/queues/queue-ports.ts";
import { queuesCheck } from "../shared/queues/queues-check.ts";
import { azureTables } from "../shared/tables/azure-tables.ts";
import { tablePorts } from "../shared/tables/table-ports.ts";
import { tablesCheck } from "../shared/tables/tables-check.ts";
import { readTraceSettings } from "../shared/tracing/settings.ts";
import { startTracing, untraced } from "../shared/tracing/tracing.ts";
import { impairedPart } from "../shared/use-cases/alerts/impaired-part.ts";
import { sharedBells } from "../shared/use-cases/bells/shared-bells.ts";
import { heartbeats } from "../shared/use-cases/terminals/heartbeats.ts";
import { newestPolls } from "../shared/use-cases/terminals/newest-polls.ts";
import { httpWebhooks, webhookUrlCheck } from "../shared/webhooks/http-webhooks.ts";
import { endpoints } from "./endpoints.ts";
import { healthDetail } from "./operators/health-detail.ts";
import { health } from "./probes/health.ts";
import { workers } from "./workers.ts";

/** Written into the bundle by the build: the version of package.json, and the commit where it is known. */
declare const APP_VERSION: string;

// The composition root: the only file that reads the environment, builds clients and registers functions.

const config = readConfig(process.env);
const clock: Clock = { now: () => new Date().toISOString(), sleep: (ms) => sleep(ms) };
const newId = () => randomUUID();

const log = jsonLog({ now: clock.now, version: APP_VERSION, output: console });

const instance = newId();
const traceSettings = readTraceSettings(process.env);
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

const rows = azureTables(config.tablesConnection, {
  retryOptions: { maxRetries: 2, retryDelayInMs: 100, maxRetryDelayInMs: 400 },
});
const { rungBells, ...tables } = tablePorts(tracing.tables(rows));
const serviceBus = new ServiceBusClient(config.serviceBusConnection, {
  // The client's own delay is 30 s: after an outage of one second the next request would wait 29 s more.
  retryOptions: { maxRetries: 3, retryDelayInMs: 200, timeoutInMs: 2_000 },
});

const deps = {
  ...tables,
  partners: cachedPartners(tables.partners, clock),
  terminals: cachedTerminals(tables.terminals, clock),
  codes: keyedCodes(config.tokenCodeKeys),
  inboxes: tracing.inboxes(tables.inboxes),
  mails: tracing.mails(smtpMails(config.smtp)),
  checkBasic: basicCredentials(config.consumers, clock),
  ...tracing.queues(queuePorts(serviceBus)),
  webhooks: tracing.webhooks(httpWebhooks({ allowLoopback: config.allowLoopbackWebhooks, random: Math.random })),
  checkWebhookUrl: webhookUrlCheck({ allowLoopback: config.allowLoopbackWebhooks }),
  bells: sharedBells({ rungBells, clock, ringer: instance, everyMs: 50, troubled: impairedPart("bells", log, clock) }),
  polls: newestPolls(),
  heartbeats: heartbeats(config.timings.heartbeatSeconds),
  clock,
  newId,
  log: tracing.log(log),
  timings: config.timings,
  peppers: config.peppers,
  rehashKey: rehashingKeys(config.peppers, clock),
  maxDeliveryCount: config.maxDeliveryCount,
  responseTimeoutMs: 3_000,
};
app.hook.appStart(tracing.ready);
// Waiting polls get a response before the process ends, so that their terminals poll another process.
app.hook.appTerminate(() => {
  log.write("stopping", {});
  deps.polls.stop();
});
app.hook.appTerminate(tracing.end);

for (const { contract, handler } of endpoints) {
  const { name, method, route } = contract;
  const traced = tracing.endpoint(contract, handler(deps));
  app.http(name, { methods: [method], route, authLevel: "function", handler: traced });
}

for (const { name, handler } of workers) {
  const traced = tracing.worker(name, handler(deps));
  app.serviceBusQueue(name, { queueName: name, connection: SERVICE_BUS_SETTING, handler: traced });
}

app.http(health.name, {
  methods: [health.method],
  route: health.route,
  authLevel: "anonymous",
  handler: health.handler,
});
app.http(healthDetail.name, {
  methods: [healthDetail.method],
  route: healthDetail.route,
  authLevel: "function",
  handler: healthDetail.handler({
    clock,
    version: APP_VERSION,
    healthChecks: [
      tablesCheck(rows),
      queuesCheck(
        serviceBus,
        workers.map(({ name }) => name),
      ),
      settingsCheck(process.env),
    ],
  }),
});

log.write("started", {});
