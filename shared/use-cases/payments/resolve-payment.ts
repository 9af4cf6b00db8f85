import { placeOf } from "../../domain/payment/payment.ts";
import { resolve, resolvedMessages, type Resolution, type ResolveRefusal } from "../../domain/payment/resolve.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { Result } from "../../domain/result.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { Inboxes } from "../../ports/terminals.ts";
import { amendPayment, type AmendPaymentDeps, type AmendResult } from "../outbox/amend-payment.ts";
import { takeOutMessage } from "../terminals/withdraw-message.ts";

export interface ResolvePaymentDeps extends AmendPaymentDeps {
  readonly inboxes: Inboxes;
}

/**
 * Ends by an operator's word a payment, a refund or a reversal whose terminal is gone. Its messages are taken out first: a terminal that
 * comes back must not carry out what was resolved. A crash in between leaves what silence brings, a status query.
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
      const decided = resolve(payment, resolution, context);
      if (!decided.ok) return decided;
      for (const sequence of resolvedMessages(payment, resolution)) {
        await takeOutMessage(deps.inboxes, payment.terminalId, placeOf(payment, sequence));
      }
      return decided;
    },
  });
