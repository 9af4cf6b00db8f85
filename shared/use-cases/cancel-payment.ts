import { advance } from "../domain/advance.ts";
import { placeOf, type Payment } from "../domain/payment.ts";
import type { Refusal } from "../domain/refusal.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import type { PaymentEvent } from "../domain/transitions.ts";
import type { Inboxes } from "../ports/terminals.ts";
import { reaches, type Caller } from "./caller.ts";
import { change, findOwn, type ChangePayment } from "./change-payment.ts";
import { again } from "./protocol/again.ts";
import { withdraw } from "./withdraw.ts";

export interface CancelPayment extends ChangePayment {
  readonly inboxes: Inboxes;
}

export interface Cancelled {
  readonly payment: Payment;
  /** It is certain already that no card is charged; otherwise the terminal is asked, and its answer called back. */
  readonly atOnce: boolean;
  readonly replayed: boolean;
}

/**
 * Asks for a payment to come to nothing: takes its message back from the terminal that has not fetched it, asks one that has to
 * stop, or has an authorization voided. Cancelling a session that does not exist leaves a fence, so that a slow request that
 * lands later fails instead of charging.
 */
export async function cancelPayment(
  deps: CancelPayment,
  caller: Caller,
  asked: { readonly sessionId: string; readonly terminalId: string },
  traceparent?: string,
): Promise<Result<Cancelled, Refusal>> {
  return again(async () => {
    const found = await findOwn(deps.payments, caller, asked);
    if (!found.ok) {
      if (found.error.code === "payment_not_found" && reaches(caller, asked.terminalId))
        await fence(deps, caller, asked);
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
async function eventFor(deps: CancelPayment, payment: Payment): Promise<PaymentEvent | undefined> {
  switch (payment.status) {
    case "pending":
      return (await withdraw(deps.inboxes, payment.terminalId, placeOf(payment))) ? "withdrawnByCancel" : "cancel";
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
function cancelledBefore(payment: Payment): Result<Cancelled, Refusal> {
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

async function fence(
  deps: CancelPayment,
  caller: Caller,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  const key = { partnerId: caller.partnerId, sessionId };
  if ((await deps.payments.find(key)) !== "fence") await deps.payments.fence(key);
}
