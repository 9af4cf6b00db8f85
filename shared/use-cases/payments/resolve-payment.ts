import { placeOf } from "../../domain/payment/payment.ts";
import { isOfPayment } from "../../domain/alert.ts";
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
  amendPayment<Refusal<ResolveRefusal>, boolean>(deps, call, {
    key,
    readBeside: () => isNamedByAlert(deps.alerts, key),
    async decide(payment, context, isAlerted) {
      const decided = resolve(payment, resolution, { ...context, isAlerted });
      if (!decided.ok || decided.value === "unchanged") return decided;
      for (const sequence of pointlessMessages(payment, decided.value)) {
        await takeOutMessage(deps.inboxes, payment.terminalId, placeOf(payment, sequence));
      }
      return decided;
    },
  });

const isNamedByAlert = async (alerts: Alerts, key: PaymentKey): Promise<boolean> =>
  (await alerts.of(key.sessionId)).some(({ alert }) => alert.status === "open" && isOfPayment(alert, key));
