import type { Clock } from "../../ports/clock.ts";
import type { Commands, FrozenWebhook, WebhookAttempt } from "../../ports/commands.ts";
import type { Partners } from "../../ports/partners.ts";
import type { Webhooks } from "../../ports/webhooks.ts";
import type { Outcome, Work } from "../outbox/deliver.ts";

export interface DeliverWebhookDeps {
  readonly commands: Commands;
  readonly partners: Partners;
  readonly webhooks: Webhooks;
  readonly clock: Clock;
}

/**
 * Tells the partner's server what was committed, in the words frozen then and under the same `webhook-id` on every attempt. A
 * server that fails is tried again on a schedule; it never changes the payment. A failed attempt is recorded once the next one is
 * announced: a copy that finds the record leaves the rest to that, or copies of copies would breed.
 */
export async function deliverWebhook(
  deps: DeliverWebhookDeps,
  { announcement, effect }: Work<FrozenWebhook>,
): Promise<Outcome> {
  const { subject, traceparent } = announcement;
  if (subject.kind === "tokenRequest") throw new Error("partners are not told of customers' requests");
  const partner = await deps.partners.find(subject.partnerId);
  if (!partner) throw new Error(`the partner of ${effect.eventId} is gone, and its webhook cannot be signed`);
  const url = effect.url ?? partner.webhookUrl;
  if (url === undefined) return "done";
  const attempt = (announcement.attempt ?? 0) + 1;
  const { eventId: id, body } = effect;
  const earlier = await deps.commands.findAttempt(subject, id, attempt);
  if (earlier) return isLast(deps, earlier) ? "done" : "passed on";
  const { webhookSecrets: secrets } = partner;
  const at = deps.clock.now();
  const answer = await deps.webhooks.send({ url, id, body, secrets, at, traceparent });
  const outcome = answer.kind === "failed" ? answer.reason : answer.kind;
  const { status, ms } = answer;
  const record = { eventId: id, type: effect.type, attempt, at, outcome, status, ms };
  const note = () => deps.commands.recordAttempt(subject, record);
  const retryAfter = answer.kind === "failed" ? answer.retryAfterSeconds : undefined;
  const wait = isLast(deps, record) ? undefined : deps.webhooks.nextAttemptAfter(attempt, retryAfter);
  if (wait !== undefined) return { again: wait, announcement: { ...announcement, attempt }, note };
  await note();
  return "done";
}

/** Nothing comes after it: it was taken, or the server wants no more, or the schedule has ended. */
const isLast = ({ webhooks }: DeliverWebhookDeps, { outcome, attempt }: WebhookAttempt): boolean =>
  outcome === "delivered" || outcome === "gone" || webhooks.nextAttemptAfter(attempt, undefined) === undefined;
