import type { Effect } from "../domain/effects.ts";
import type { Clock } from "../ports/clock.ts";
import type { Partners } from "../ports/partners.ts";
import type { Payments } from "../ports/payments.ts";
import type { Webhooks } from "../ports/webhooks.ts";
import type { Outcome, Work } from "./protocol/deliver.ts";

export interface DeliverWebhook {
  readonly payments: Payments;
  readonly partners: Partners;
  readonly webhooks: Webhooks;
  readonly clock: Clock;
}

/**
 * Tells the partner's server what was committed, in the words frozen then and under the same `webhook-id` on every attempt. A
 * server that fails is tried again on a schedule; it never changes the payment.
 */
export async function deliverWebhook(
  deps: DeliverWebhook,
  { announcement, command, effect }: Work<Extract<Effect, { kind: "webhook" }>>,
): Promise<Outcome> {
  const { subject } = announcement;
  const [stored, entry, partner] = await Promise.all([
    deps.payments.find(subject),
    deps.payments.entry(subject, command.sequence),
    deps.partners.find(subject.partnerId),
  ]);
  const event = entry?.events.find((e) => e.type === effect.type);
  if (!stored || stored === "fence" || !event || !partner) {
    throw new Error(`no ${effect.type} to tell at sequence ${command.sequence}, though its command is committed`);
  }
  const url = stored.payment.webhookUrl ?? partner.webhookUrl;
  if (url === undefined) return "done";
  const attempt = (announcement.attempt ?? 0) + 1;
  const { traceparent } = announcement;
  const { id, body } = event;
  const answer = await deps.webhooks.send({
    url,
    id,
    body,
    at: deps.clock.now(),
    secrets: partner.webhookSecrets,
    traceparent,
  });
  if (answer.kind !== "failed") return "done";
  const wait = deps.webhooks.nextAttemptAfter(attempt, answer.retryAfterSeconds);
  return wait === undefined ? "done" : { again: wait, announcement: { ...announcement, attempt } };
}
