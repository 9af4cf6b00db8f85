import { endedWithoutTerminal, isCancelledByPartner, requestCancel } from "../../domain/payment/requests/cancel.ts";
import { slotOf, type Payment } from "../../domain/payment/record/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { dayOf } from "../../domain/time.ts";
import { isCancelledFirst } from "../../stores/payments.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import type { AmendPaymentDeps } from "./amend-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { withdrawMessage } from "../terminals/withdraw-message.ts";
import { amendOwnPayment, type PaymentTarget } from "./amend-own-payment.ts";
import type { Needs } from "../needs.ts";

export type CancelPaymentDeps = AmendPaymentDeps & Needs<"inboxes">;

export interface CancelResult {
  readonly payment: Payment;
  /** It is certain that no card is charged. Otherwise a message to the terminal is under way, and a webhook brings the outcome. */
  readonly atOnce: boolean;
  readonly replayed: boolean;
}

/**
 * Cancels a payment: withdraws its message where the terminal has not fetched it, requests a stop from a terminal that has, or voids an
 * authorization. Cancelling a session that does not exist leaves a tombstone, so that a slow request for that terminal, which arrives later,
 * fails instead of charging a card. It stops no other terminal's request: a key may reach one terminal alone.
 */
export const cancelPayment = (
  deps: CancelPaymentDeps,
  call: PartnerCall,
  target: PaymentTarget,
): Promise<
  Result<CancelResult, Refusal<"payment_not_found" | "payment_never_requested" | "terminal_mismatch" | "invalid_state">>
> =>
  retryOnConflict(async () => {
    const cancelled = await amendOwnPayment(deps, call, target, {
      needs: (payment) => (payment.status === "pending" ? slotOf(payment) : undefined),
      fence: ({ terminalId }, slot) => withdrawMessage(deps.inboxes, terminalId, slot),
      decide: (payment, context, { fenced: isWithdrawn = false }) => requestCancel(payment, isWithdrawn, context),
    });
    if (!cancelled.ok) {
      if (cancelled.error.code !== "payment_not_found") return cancelled;
      return (await leaveTombstone(deps, call, target)) ? refuse({ code: "payment_never_requested" }) : cancelled;
    }
    const { payment } = cancelled.value;
    const replayed = cancelled.value.replayed && isCancelledByPartner(payment);
    return ok({ payment, atOnce: endedWithoutTerminal(payment), replayed });
  });

/** Whether the session has a tombstone for the terminal now. Throws `Conflict` where the session was requested meanwhile: the caller reads again and cancels it. */
async function leaveTombstone(
  { payments, listings }: CancelPaymentDeps,
  { caller, now }: PartnerCall,
  { sessionId, terminalId }: PaymentTarget,
): Promise<boolean> {
  if (!reaches(caller, terminalId)) return false;
  const key = { partnerId: caller.partnerId, sessionId };
  const found = await payments.findOrTombstone(key);
  const before = found && isCancelledFirst(found) ? found : undefined;
  if (before?.terminalIds.includes(terminalId)) return true;
  if (found && !isCancelledFirst(found) && !reaches(caller, found.payment.terminalId)) return false;
  const at = now();
  await listings.enter({ kind: "payment", ...key }, { day: dayOf(at), isOpen: false, at }); // a purge finds it by its day
  await payments.leaveTombstone(key, terminalId, before);
  return true;
}
