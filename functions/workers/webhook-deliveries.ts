import { queueWorker } from "../../shared/queues/queue-worker.ts";
import { deliverWebhook, type DeliverWebhookDeps } from "../../shared/use-cases/webhooks/deliver-webhook.ts";
import type { DeliverDeps } from "../../shared/use-cases/outbox/deliver.ts";

/** Tells partners' servers what was committed. */
export const webhookDeliveries = (deps: DeliverDeps & DeliverWebhookDeps) =>
  queueWorker("webhook-deliveries", deps, async ({ effect, ...work }) => {
    if (effect.kind !== "webhook") throw new Error(`${effect.kind} came to the wrong queue`);
    return deliverWebhook(deps, { ...work, effect });
  });
