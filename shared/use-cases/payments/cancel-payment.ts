import { advance } from "../../domain/payment/advance.ts";
import { placeOf, type Payment } from "../../domain/payment/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { PaymentEvent } from "../../domain/payment/transitions.ts";
import type { Inboxes } from "../../ports/terminals.ts";
import { reaches, type Caller } from "../auth/caller.ts";
import { change, findOwn, type ChangePayment } from "./change-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { withdrawMessage } from "../terminals/withdraw-message.ts";

export interface CancelPaymentDeps extends ChangePayment {
  readonly inboxes: Inboxes;
}

export interface CancelResult {
  readonly payment: Payment;
  /** It is certain already that no card is charged; otherwise the terminal is asked, and its answer called back. */
  readonly atOnce: boolean;
  readonly replayed: boolean;
}

/**
 * Asks for a payment to come to nothing: takes its message back from the terminal that has not fetched it, asks one that has to
 * stop, or has an authorization voided. Cancelling a session that does not exist leaves a tombstone, so that a slow request that
 * lands later fails instead of charging.
 */
export async function cancelPayment(
  deps: CancelPaymentDeps,
  caller: Caller,
  asked: { readonly sessionId: string; readonly terminalId: string },
  traceparent?: string,
): Promise<Result<CancelResult, Refusal>> {
  return retryOnConflict(async () => {
    const found = await findOwn(deps.payments, caller, asked);
    if (!found.ok) {
      if (found.error.code === "payment_not_found" && reaches(caller, asked.terminalId))
        await leaveTombstone(deps, caller, asked);
      return found;
    }
    const { payment, etag } = found.value;
    const event = await eventFor(deps, payment);
    if (!event) return cancelledBefore(payment);
    const step = {
      event,
      by: "partner",
      now: deps.clock.now(),
      commandId: deps.newId(),
      timings: deps.timings,
    } as const;
    const cancelled = await change(deps, advance(payment, step), etag, step.commandId, traceparent);
    return ok({ payment: cancelled, atOnce: event === "withdrawnByCancel", replayed: false });
  });
}

/** What a cancel is to the payment as it stands; undefined where it asks for nothing new. */
async function eventFor(deps: CancelPaymentDeps, payment: Payment): Promise<PaymentEvent | undefined> {
  switch (payment.status) {
    case "pending":
      return (await withdrawMessage(deps.inboxes, payment.terminalId, placeOf(payment)))
        ? "withdrawnByCancel"
        : "cancel";
    case "inProgress":
    case "authorized":
      return "cancel";
    case "reconciling":
      return payment.asked === undefined ? "cancel" : undefined;
    default:
      return undefined;
  }
}

/** A repeated cancel is answered with how the payment stands; one that can no longer be cancelled says so. */
function cancelledBefore(payment: Payment): Result<CancelResult, Refusal> {
  const { status: currentStatus, asked } = payment;
  switch (currentStatus) {
    case "cancelRequested":
    case "reconciling":
    case "voidRequested":
    case "voided":
    case "cancelled":
    case "expired": {
      const atOnce = asked === undefined && (currentStatus === "cancelled" || currentStatus === "expired");
      return ok({ payment, atOnce, replayed: asked === "partner" || payment.statusReason === "cancelledByPartner" });
    }
    case "captured":
      return refuse({ code: "invalid_state", currentStatus, detail: "The payment is captured: refund it instead." });
    default:
      return refuse({ code: "invalid_state", currentStatus });
  }
}

async function leaveTombstone(
  deps: CancelPaymentDeps,
  caller: Caller,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  const key = { partnerId: caller.partnerId, sessionId };
  if ((await deps.payments.findOrTombstone(key)) !== "tombstone") await deps.payments.leaveTombstone(key);
}
