import { setTimeout as sleep } from "node:timers/promises";
import type { HttpHandler, ServiceBusQueueHandler } from "@azure/functions";
import type { QueueName } from "../../ports/queues.ts";
import type { Log } from "../../ports/log.ts";
import type { Mails } from "../../ports/mails.ts";
import type { Inboxes } from "../../stores/inboxes.ts";
import type { Webhooks } from "../../ports/webhooks.ts";
import type { QueuePorts } from "../queues/queue-ports.ts";
import type { Tables } from "../../stores/stores.ts";
import type { SdkOptions } from "./sdk.ts";
import { tracedEndpoint, type TracedContract } from "./traced-endpoint.ts";
import { tracedInboxes } from "./traced-inboxes.ts";
import { tracedLog } from "./traced-log.ts";
import { tracedMails } from "./traced-mails.ts";
import { tracedQueues } from "./traced-queues.ts";
import { tracedTables } from "./traced-tables.ts";
import { tracedWebhooks } from "./traced-webhooks.ts";
import { tracedWorker } from "./traced-worker.ts";

/** The wrappers that the composition root puts around the parts of the app. Use cases and adapters do not know about traces. */
export interface Tracing {
  readonly tables: (tables: Tables) => Tables;
  readonly inboxes: (inboxes: Inboxes) => Inboxes;
  readonly queues: (queues: QueuePorts) => QueuePorts;
  readonly log: (log: Log) => Log;
  readonly webhooks: (webhooks: Webhooks) => Webhooks;
  readonly mails: (mails: Mails) => Mails;
  readonly endpoint: (contract: TracedContract, handler: HttpHandler) => HttpHandler;
  readonly worker: (queue: QueueName, handler: ServiceBusQueueHandler) => ServiceBusQueueHandler;
  /** Resolves when spans are recorded. It never rejects: without traces the app works as before. */
  readonly ready: () => Promise<void>;
  /** Sends the remaining spans within `LAST_SPANS_MS`. It never rejects. */
  readonly end: () => Promise<void>;
}

const same = <Part>(part: Part): Part => part;

/** No traces: every part stays unchanged, and a `traceparent` is passed on as received. */
export const untraced: Tracing = {
  tables: same,
  inboxes: same,
  queues: same,
  log: same,
  webhooks: same,
  mails: same,
  endpoint: (_, handler) => handler,
  worker: (_, handler) => handler,
  ready: async () => {},
  end: async () => {},
};

/** How long the app waits for its last spans when it ends, in milliseconds. */
const LAST_SPANS_MS = 2_000;

/** Loads the SDK, and traces every part. No span is recorded until the SDK is loaded. */
export function startTracing(options: SdkOptions): Tracing {
  const { troubled } = options;
  const started = import("./sdk.ts").then(({ startSdk }) => startSdk(options));
  // Handles a rejection here, even if the app ends before tracing is ready.
  const loaded = started.then(
    () => undefined,
    (error: unknown) => troubled(error),
  );
  const endSdk = async () => (await started)();
  return {
    tables: tracedTables,
    inboxes: tracedInboxes,
    queues: tracedQueues,
    log: tracedLog,
    webhooks: tracedWebhooks,
    mails: tracedMails,
    endpoint: tracedEndpoint,
    worker: tracedWorker,
    ready: () => loaded,
    async end() {
      await Promise.race([endSdk().catch(troubled), sleep(LAST_SPANS_MS, undefined, { ref: false })]);
    },
  };
}
