import { endedWithoutTerminal, isCancelledByPartner, requestCancel } from "../../domain/payment/requests/cancel.ts";
import type { DecisionContext } from "../../domain/payment/life/decision.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { paymentSubjectOf } from "../../ports/subjects.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import { lacksPayment } from "../../stores/payments.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { bindKey, judgeKey, type JudgeKeyDeps, type KeyedRequest, type KeyRefusal } from "../idempotency-key.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { openMessages, taking, unfetched } from "../terminals/open-messages.ts";
import { amendOwnPayment, type AmendOwnPaymentDeps, type PaymentTarget } from "./amend-own-payment.ts";
import { type KeyedTarget, keyOfTarget, underKey } from "./under-key.ts";
import { findSession } from "./find-session.ts";
import { isPayment } from "./why-no-payment.ts";
import type { Needs } from "../needs.ts";

export type CancelPaymentDeps = AmendOwnPaymentDeps & JudgeKeyDeps & Needs<"inboxes" | "terminals">;

export interface CancelResult {
  readonly payment: Payment;
  /** True if it is certain that no card is charged. Otherwise a message to the terminal is under way, and a webhook brings the outcome. */
  readonly atOnce: boolean;
  readonly replayed: boolean;
}

type CancelRefusal =
  | KeyRefusal
  | Refusal<"payment_not_found" | "payment_never_requested" | "terminal_mismatch" | "invalid_state">;

/**
 * Cancels a payment. Withdraws its message, or that of its capture, if the terminal has not fetched it. Otherwise asks the terminal to stop,
 * or voids an authorization. A capture that the terminal may have fetched is not cancelled.
 *
 * Cancelling a session that does not exist leaves a tombstone. A slow request for that terminal that arrives later then fails instead of
 * charging a card. The tombstone does not stop a request for another terminal, because a key may reach only one terminal.
 */
export const cancelPayment = (
  deps: CancelPaymentDeps,
  call: PartnerCall,
  target: KeyedTarget,
): Promise<Result<CancelResult, CancelRefusal>> =>
  retryOnConflict(async () => {
    const keyed = keyOfTarget("cancel", call, target);
    const amendment = {
      async read(found: () => Promise<Payment | undefined>) {
        const payment = await found();
        return payment && withdrawable(payment) !== undefined ? openMessages(deps, payment) : [];
      },
      decide(payment: Payment, context: DecisionContext, open: readonly InboxRow[]) {
        const sequence = withdrawable(payment);
        const message = sequence === undefined ? undefined : unfetched(payment, open, sequence);
        const decided = requestCancel(payment, message !== undefined, context);
        return decided.ok && message ? ok(taking(decided.value, [message])) : decided;
      },
    };
    const cancelled = await amendOwnPayment(deps, call, target, underKey(deps, call, keyed, amendment));
    if (!cancelled.ok) {
      if (cancelled.error.code !== "payment_not_found") return cancelled;
      const barred = await barSession(deps, call, target, keyed);
      if (!barred.ok) return barred;
      return barred.value ? refuse({ code: "payment_never_requested" }) : cancelled;
    }
    const { payment } = cancelled.value;
    const replayed = cancelled.value.replayed && isCancelledByPartner(payment);
    return ok({ payment, atOnce: endedWithoutTerminal(payment), replayed });
  });

/**
 * The sequence of the message that a cancel withdraws if the terminal has not fetched it.
 */
function withdrawable({ status, awaiting }: Payment): number | undefined {
  if (status === "pending") return 1;
  return status === "captureRequested" ? awaiting?.sequence : undefined;
}

/**
 * Bars the session at the terminal, if it is the caller's. The key is bound before, and the tombstone shows that it was. False if the key
 * does not reach it, or does not reach the terminal of the session's payment. Throws `Conflict` if the session was requested meanwhile. The
 * caller then reads again and cancels it.
 */
async function barSession(
  deps: CancelPaymentDeps,
  call: PartnerCall,
  { sessionId, terminalId }: PaymentTarget,
  keyed: KeyedRequest | undefined,
): Promise<Result<boolean, KeyRefusal>> {
  const { partnerId } = call.caller;
  if (!reaches(call.caller, terminalId)) return ok(false);
  const key = { partnerId, terminalId, sessionId };
  const [found, elsewhere, view, judged] = await Promise.all([
    deps.payments.findOrTombstone(key),
    findSession(deps, key),
    deps.terminals.find(terminalId),
    judgeKey(deps, keyed, call.now()),
  ]);
  if (!judged.ok) return judged;
  if (found && lacksPayment(found)) return ok(true);
  if (isPayment(elsewhere) && !reaches(call.caller, elsewhere.payment.terminalId)) return ok(false);
  // A terminal of another partner, or none, takes no request of this partner.
  if (view?.terminal.partnerId !== partnerId) return ok(true);
  const at = call.now();
  await bindKey(deps, judged.value, { subject: paymentSubjectOf(key), terminalId, commandId: call.newId(), at });
  await deps.payments.leaveTombstone(key, at);
  return ok(true);
}
