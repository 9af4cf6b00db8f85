import { queueWorker } from "../../shared/queues/queue-worker.ts";
import { deliverWebhook, type DeliverWebhook } from "../../shared/use-cases/deliver-webhook.ts";
import type { Delivering } from "../../shared/use-cases/protocol/deliver.ts";

/** Tells partners' servers what was committed. */
export const webhookDeliveries = (deps: Delivering & DeliverWebhook) =>
  queueWorker("webhook-deliveries", deps, async ({ effect, ...work }) => {
    if (effect.kind !== "webhook") throw new Error(`${effect.kind} came to the wrong queue`);
    return deliverWebhook(deps, { ...work, effect });
  });
