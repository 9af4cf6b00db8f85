import { ok, refuse } from "../../result.ts";
import { advance } from "../life/advance.ts";
import type { Decision, DecisionContext } from "../life/decision.ts";
import { wantedCharge } from "../record/charge.ts";
import { holdsTerminal, isCalledOff, type Payment, type PaymentState } from "../record/payment.ts";
import { contradictedText, unrequestedText } from "./contradicted-charge.ts";
import { unfit } from "./what-fits.ts";

/** States that a cancel leaves unchanged. The payment ends without money, or a request to end it is under way. */
const comesToNothing: ReadonlySet<PaymentState> = new Set([
  "cancelRequested",
  "reconciling",
  "voidRequested",
  "voided",
  "cancelled",
  "expired",
]);

/**
 * Cancels a payment at its partner's request, as far as its state allows. A captured payment must be refunded instead.
 *
 * @param withdrawn whether the payment's message was withdrawn before the terminal fetched it
 */
export function requestCancel(
  payment: Payment,
  withdrawn: boolean,
  context: DecisionContext,
): Decision<"invalid_state"> {
  const { status: currentStatus } = payment;
  const trouble = whyNotCancelled(payment);
  if (trouble !== undefined) return refuse({ code: "invalid_state", currentStatus, detail: trouble });
  const isRemembered = holdsTerminal(currentStatus) && isCalledOff(payment);
  const event = withdrawn ? "withdrawnByCancel" : "cancel";
  const change = isRemembered ? undefined : advance(payment, { ...context, event, by: "partner" });
  if (change) return ok(change);
  if (comesToNothing.has(currentStatus)) return ok("unchanged");
  return refuse(unfit("cancel", payment));
}

/** Why the charge of an authorized payment is not given back. Undefined if it can be. */
function whyNotCancelled(payment: Payment): string | undefined {
  const own = wantedCharge(payment);
  if (own?.status !== "authorized") return undefined;
  if (own.contradicted) return contradictedText("Cancels");
  if (own.captured === undefined) return undefined;
  return unrequestedText(payment, own.captured, "Capture this amount, then refund it.");
}

/** Whether the payment ended without its terminal. Then it is certain that no card was charged. */
export const endedWithoutTerminal = ({ cancelRequestedBy, status }: Payment): boolean =>
  cancelRequestedBy === undefined && (status === "cancelled" || status === "expired");

export const isCancelledByPartner = ({ cancelRequestedBy, statusReason }: Payment): boolean =>
  cancelRequestedBy === "partner" || statusReason === "cancelledByPartner";
