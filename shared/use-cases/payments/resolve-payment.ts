import { slotOf, type Payment } from "../../domain/payment/payment.ts";
import { isOfPayment, type Alert } from "../../domain/alert.ts";
import type { Resolution, ResolveRefusal } from "../../domain/payment/resolution.ts";
import { pointlessMessages, resolve } from "../../domain/payment/resolve.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { Result } from "../../domain/result.ts";
import type { Alerts } from "../../ports/alerts.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { Inboxes } from "../../ports/terminals.ts";
import { amendPayment, type AmendPaymentDeps, type AmendResult } from "../outbox/amend-payment.ts";
import { takeOutMessage } from "../terminals/withdraw-message.ts";

export interface ResolvePaymentDeps extends AmendPaymentDeps {
  readonly inboxes: Inboxes;
  readonly alerts: Alerts;
}

/**
 * Ends by an operator's word a payment, a refund or a charge whose terminal is gone, and corrects one that ended otherwise than its books
 * say, while an open alert names the payment. Its messages are taken out first: a terminal that comes back must not carry out what was
 * resolved. A crash in between leaves what silence brings, a status query or another try.
 */
export const resolvePayment = (
  deps: ResolvePaymentDeps,
  call: CallContext,
  key: PaymentKey,
  resolution: Resolution,
): Promise<Result<AmendResult, Refusal<ResolveRefusal | "payment_not_found">>> =>
  amendPayment(deps, call, {
    key,
    async decide(payment, context) {
      const isAlerted = await isNamedByAlert(deps.alerts, payment);
      const decided = resolve(payment, resolution, { ...context, isAlerted });
      if (!decided.ok || decided.value === "unchanged") return decided;
      for (const sequence of pointlessMessages(payment, decided.value)) {
        await takeOutMessage(deps.inboxes, payment.terminalId, slotOf(payment, sequence));
      }
      return decided;
    },
  });

/** An alert of the payment names it. So do the refused reports of its terminal: they do not say for certain what payment they are about. */
async function isNamedByAlert(alerts: Alerts, payment: Payment): Promise<boolean> {
  const isOrphanOfIts = ({ kind, subject }: Alert): boolean =>
    kind === "orphanReport" && subject.kind === "terminal" && subject.partnerId === payment.partnerId;
  const found = await Promise.all([alerts.of(payment.sessionId), alerts.of(payment.terminalId)]);
  return found
    .flat()
    .some(({ alert }) => alert.status === "open" && (isOfPayment(alert, payment) || isOrphanOfIts(alert)));
}
