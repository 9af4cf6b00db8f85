import { slotOf, type Payment } from "../../domain/payment/payment.ts";
import { isOfPayment, type Alert } from "../../domain/alert.ts";
import { impossible, type Resolution, type ResolveRefusal } from "../../domain/payment/resolution.ts";
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

/** A payment as an operator read it. */
export interface SeenPayment extends PaymentKey {
  readonly sequence: number;
}

/**
 * Ends, by an operator's resolution, a payment, a refund or a charge that its terminal no longer reports on, and corrects one that ended
 * otherwise than recorded, while an open alert names the payment. A payment that has changed since the operator read it is left alone: what the operator compared with
 * the acquirer's records is no longer what the books say. That is also the answer to a repeat of a resolution. Its messages are taken out first, so that a terminal that comes back does
 * not carry out what was resolved. A crash in between leaves the same state as a terminal that does not answer: a status query or another
 * try follows.
 */
export const resolvePayment = (
  deps: ResolvePaymentDeps,
  call: CallContext,
  seen: SeenPayment,
  resolution: Resolution,
): Promise<Result<AmendResult, Refusal<ResolveRefusal | "payment_not_found">>> =>
  amendPayment(deps, call, {
    key: seen,
    async decide(payment, context) {
      if (payment.sequence !== seen.sequence) return changedSince(payment, seen);
      const isAlerted = await isNamedByAlert(deps.alerts, payment);
      const decided = resolve(payment, resolution, { ...context, isAlerted });
      if (!decided.ok || decided.value === "unchanged") return decided;
      for (const sequence of pointlessMessages(payment, decided.value)) {
        await takeOutMessage(deps.inboxes, payment.terminalId, slotOf(payment, sequence));
      }
      return decided;
    },
  });

const changedSince = (payment: Payment, { sequence }: SeenPayment) =>
  impossible(
    payment,
    `It has changed since you read it: from sequence ${sequence} to ${payment.sequence}. Compare it with the acquirer's records again.`,
  );

/**
 * Whether an open alert names the payment. A refused report of its terminal counts too, since such a report does not show for certain which
 * payment it is about.
 */
async function isNamedByAlert(alerts: Alerts, payment: Payment): Promise<boolean> {
  const isOrphanOfIts = ({ kind, subject }: Alert): boolean =>
    kind === "orphanReport" && subject.kind === "terminal" && subject.partnerId === payment.partnerId;
  const found = await Promise.all([alerts.of(payment.sessionId), alerts.of(payment.terminalId)]);
  return found
    .flat()
    .some(({ alert }) => alert.status === "open" && (isOfPayment(alert, payment) || isOrphanOfIts(alert)));
}
