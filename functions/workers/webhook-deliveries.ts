import { queueWorker } from "../../shared/adapters/queues/queue-worker.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import {
  deliverWebhook,
  enterOwnChange,
  type DeliverWebhookDeps,
} from "../../shared/use-cases/webhooks/deliver-webhook.ts";

/** Sends the first attempt of each webhook to the partner's server. Enters the partner's own changes into its feed. */
export const webhookDeliveries = queueWorker("webhook-deliveries", {
  webhook: (deps: DeliverWebhookDeps, work: Work<"webhook">) => deliverWebhook(deps, work.call, work),
  feedEntry: (deps: DeliverWebhookDeps, work: Work<"feedEntry">) => enterOwnChange(deps, work),
});

/** Sends later attempts of webhooks that failed or were postponed. First attempts never wait for these. */
export const webhookRetries = queueWorker("webhook-retries", {
  webhook: (deps: DeliverWebhookDeps, work: Work<"webhook">) => deliverWebhook(deps, work.call, work),
});
