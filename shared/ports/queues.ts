import type { EffectKind } from "../domain/effects.ts";

/** The queues, named by the work that they carry. They are declared in `infra/azure/service-bus/queues.json`. */
export type QueueName =
  | "terminal-messages"
  | "webhook-deliveries"
  | "webhook-retries"
  | "deadlines"
  | "access-tokens"
  | "mails"
  | "operator-alerts";

/** The queue of each kind of effect. */
export const queueOf = {
  message: "terminal-messages",
  orderUpdate: "terminal-messages",
  deadline: "deadlines",
  look: "deadlines",
  webhook: "webhook-deliveries",
  feedEntry: "webhook-deliveries",
  voucherReservation: "access-tokens",
  voucherOutcome: "access-tokens",
  issue: "access-tokens",
  mail: "mails",
  dayUpdate: "deadlines",
  alert: "operator-alerts",
} as const satisfies Record<EffectKind, QueueName>;

/** The queue of the later attempts of each kind of effect. Webhooks have their own, so that later attempts do not delay first ones. */
export const retryQueueOf = { ...queueOf, webhook: "webhook-retries" } as const satisfies Record<EffectKind, QueueName>;
