import { chargeInDoubt, contradictedCharge } from "../record/charge.ts";
import { ownCaptured, refundable } from "../record/kept-money.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { fromMinorUnits } from "../../money.ts";
import { invalidField, type Refusal } from "../../refusal.ts";
import { contradictedText } from "./contradicted-charge.ts";
import { noRoom, withRoom } from "./undelivered-refunds.ts";
import { unfit } from "./what-fits.ts";

/** Only captured money is refunded, and no more of each charge than was captured. */
export function whyNotRefundable(
  payment: Payment,
  { amount, chargeId }: Pick<Refund, "amount" | "chargeId">,
): Refusal<"invalid_state" | "validation_failed" | "amount_exceeds_refundable"> | undefined {
  const { status: currentStatus } = payment;
  if (chargeInDoubt(payment)) {
    const detail = "A charge of the payment is in doubt. Refunds are refused until an operator decides.";
    return { code: "invalid_state", currentStatus, detail };
  }
  if (contradictedCharge(payment)) return { code: "invalid_state", currentStatus, detail: contradictedText("Refunds") };
  const trouble = chargeId === undefined ? whyNotOwn(payment) : whyNotCharge(payment, chargeId);
  if (trouble) return trouble;
  if (!withRoom(payment)) return { code: "invalid_state", currentStatus, detail: noRoom };
  return amount > refundable(payment, chargeId) ? exceeds(payment, chargeId) : undefined;
}

function exceeds(payment: Payment, chargeId: string | undefined): Refusal<"amount_exceeds_refundable"> {
  const left = refundable(payment, chargeId);
  const most = `must be at most ${fromMinorUnits(left, payment.currency)}, which is left to refund`;
  const message = left > 0 ? most : "is too much: nothing is left to refund";
  return { code: "amount_exceeds_refundable", errors: [{ field: "refundAmount", code: "out_of_range", message }] };
}

function whyNotOwn(payment: Payment): Refusal<"invalid_state"> | undefined {
  const { status: currentStatus, charges } = payment;
  if (currentStatus === "captured" || ownCaptured(payment) > 0) return undefined;
  if (!charges.some(({ status }) => status === "kept")) return unfit("refund", payment);
  const detail = "The payment's own charge is not captured. To refund another captured charge, send its chargeID.";
  return { code: "invalid_state", currentStatus, detail };
}

function whyNotCharge(
  { status: currentStatus, charges }: Payment,
  named: string,
): Refusal<"invalid_state" | "validation_failed"> | undefined {
  const charge = charges.find(({ chargeId }) => chargeId === named);
  if (!charge) return invalidField("chargeID", "invalid", "is not a charge of this payment");
  if (charge.status === "kept") return undefined;
  return { code: "invalid_state", currentStatus, detail: `The charge is ${charge.status}, and is not captured.` };
}
