import { queueWorker } from "../../shared/queues/queue-worker.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import { deliverWebhook, type DeliverWebhookDeps } from "../../shared/use-cases/webhooks/deliver-webhook.ts";

/** Notifies partners' servers of what was committed. */
export const webhookDeliveries = queueWorker("webhook-deliveries", {
  webhook: (deps: DeliverWebhookDeps, work: Work<"webhook">) => deliverWebhook(deps, work.call, work),
});

/** Tries again what failed, or had to wait: first attempts never wait for these. */
export const webhookRetries = queueWorker("webhook-retries", {
  webhook: (deps: DeliverWebhookDeps, work: Work<"webhook">) => deliverWebhook(deps, work.call, work),
});
