import type { Payment } from "../../domain/payment/record/payment.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { WebhookAttempt } from "../../domain/webhook-attempt.ts";
import type { RecordedEntry } from "../../stores/payments.ts";
import { paymentSubjectOf } from "../../ports/subjects.ts";
import type { PartnerCall } from "../caller.ts";
import { readPayment, type ReadPaymentDeps } from "./read-payment.ts";
import type { Needs } from "../needs.ts";
import type { NoPayment } from "./why-no-payment.ts";

export type ReadTimelineDeps = ReadPaymentDeps & Needs<"commands">;

export interface Timeline {
  readonly payment: Payment;
  readonly history: readonly RecordedEntry[];
  readonly attempts: readonly WebhookAttempt[];
}

/** Everything that happened to a payment, including stale reports and every attempt to deliver a webhook. */
export async function readTimeline(
  deps: ReadTimelineDeps,
  call: PartnerCall,
  sessionId: string,
): Promise<Result<Timeline, NoPayment>> {
  const payment = await readPayment(deps, call, sessionId);
  if (!payment.ok) return payment;
  const [history, attempts] = await Promise.all([
    deps.payments.history(payment.value),
    deps.commands.attempts(paymentSubjectOf(payment.value)),
  ]);
  return ok({ payment: payment.value, history, attempts });
}
