import type { Effect } from "../../effects.ts";
import { invalidField, type Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
import { advance } from "../life/advance.ts";
import { reversed } from "../reports/charges.ts";
import { appliedTotal, replacedDiscount } from "../requests/discount.ts";
import { keptAmount, ownCaptured, refundsOf, withRefundedTip } from "../record/kept-money.ts";
import { isOwnVoid, wantedCharge, withCharge, type Charge } from "../record/charge.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { replacedRefund, concludeRefund } from "../requests/refund.ts";
import { isOutside, notCounted } from "./outside-refund.ts";
import {
  decidedCharge,
  impossible,
  isOtherDay,
  minorOf,
  notAlerted,
  onDay,
  tooMuch,
  whyNotCorrected,
  type ChargeResolution,
  type DiscountResolution,
  type OperatorStep,
  type RefundResolution,
  type Resolved,
} from "./resolution.ts";
import { madeAmounts } from "./reported-amounts.ts";

// An operator's resolution of one charge, refund or discount. It ends a pending charge or refund, and corrects an ended one. A correction
// changes the amounts. The payment's status, voucher and order stay.

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export function ofRefund(payment: Payment, said: RefundResolution, step: OperatorStep): Resolved {
  const refund = payment.refunds.find((r) => isSame(r.refundId, said.refundId));
  if (!refund) return refuse(invalidField("refund", "invalid", "is not a refund of this payment"));
  if (isOutside(refund) && step.businessDay !== undefined) return refuse(notCounted);
  const made = madeOf(payment, refund, said, step);
  if (!made.ok) return made;
  const { outcome } = said;
  if (refund.status === outcome && refund.made === made.value && !isOtherDay(refund.correction, step))
    return impossible(payment, "The books already have this outcome of the refund.");
  const decided = { ...refund, made: made.value };
  if (refund.status !== "pending") return correctedRefund(payment, decided, outcome, step);
  const change = concludeRefund(payment, decided, { status: outcome, statusReason: "settledByOperator" }, step);
  return change ? ok(change) : impossible(payment);
}

/** The amount that the card got, as a refund stores it. More than was requested is accepted only if the terminal reported it. */
function madeOf(
  payment: Payment,
  refund: Refund,
  { outcome, amount }: RefundResolution,
  { reports = [] }: OperatorStep,
): Result<Refund["made"], Refusal<"validation_failed">> {
  if (amount === undefined) return ok(refund.status === outcome ? refund.made : undefined);
  const minor = minorOf("amount", amount, payment.currency);
  if (!minor.ok) return minor;
  const most = Math.max(refund.amount, ...madeAmounts(reports, payment, refund));
  if (minor.value > most) return tooMuch(most, payment.currency);
  return ok(minor.value === refund.amount ? undefined : minor.value);
}

/**
 * The partner gets a webhook about the refund, as after its first outcome. An operator's refund outside the platform is taken back without
 * an alert.
 */
function correctedRefund(
  payment: Payment,
  refund: Refund,
  status: "succeeded" | "failed",
  step: OperatorStep,
): Resolved {
  if (!step.isAlerted && !(isOutside(refund) && status === "failed")) return notAlerted(payment);
  const concluded: Refund = {
    ...refund,
    correction: onDay(refund.correction, step),
    status,
    statusReason: "settledByOperator",
    statusDetail: undefined,
    updatedAt: step.now,
  };
  const refunds = replacedRefund(payment, withRefundedTip(payment, concluded));
  return correct(payment, step, { refunds }, [
    { kind: "webhook", type: "payment.corrected" },
    { kind: "webhook", type: `refund.${status}`, about: refund.refundId },
  ]);
}

export function ofCharge(payment: Payment, { chargeId, outcome }: ChargeResolution, step: OperatorStep): Resolved {
  const charge = payment.charges.find((c) => isSame(c.chargeId, chargeId));
  if (!charge) return refuse(invalidField("charge", "invalid", "is not a charge of this payment"));
  if (charge.status === "authorized")
    return impossible(payment, "This is the payment's own charge. Record whether the payment is paid or unpaid.");
  return outcome === "kept" ? kept(payment, charge, step) : back(payment, charge, step);
}

/** Records that the customer has the money back. */
function back(payment: Payment, charge: Charge, step: OperatorStep): Resolved {
  switch (charge.status) {
    case "reversing":
    case "reversalFailed":
    case "inDoubt": {
      const change = reversed(payment, charge, step);
      return change ? ok(change) : impossible(payment);
    }
    case "captured":
    case "kept":
      return correctedBack(payment, charge, step);
    default:
      return isOtherDay(charge.correction, step)
        ? correctedDay(payment, charge, step)
        : impossible(payment, `The charge is already ${charge.status}.`);
  }
}

/** Removes the charge from the captured amount, without a reversal by the terminal. */
function correctedBack(payment: Payment, charge: Charge, step: OperatorStep): Resolved {
  const trouble = whyNotCorrected(payment, step);
  if (trouble) return trouble;
  const charges = withCharge(payment, decidedCharge(charge, "reversed", step));
  const own = charge.status === "captured" ? 0 : ownCaptured(payment);
  const amounts = { ...payment.amounts, captured: own + keptAmount({ charges }) };
  return correct(payment, step, { charges, amounts }, [
    { kind: "webhook", type: "payment.corrected" },
    { kind: "webhook", type: "reversal.succeeded", about: charge.chargeId },
  ]);
}

/** Records the day on which the terminal counted an earlier correction of the charge. */
function correctedDay(payment: Payment, charge: Charge, step: OperatorStep): Resolved {
  if (!step.isAlerted) return notAlerted(payment);
  const correction = onDay(charge.correction, step);
  return correct(payment, step, { charges: withCharge(payment, { ...charge, correction }) }, [
    { kind: "webhook", type: "payment.corrected" },
  ]);
}

/** Records that the merchant keeps this money in addition to the payment's own. It counts in the amounts, and can be refunded. */
function kept(payment: Payment, charge: Charge, step: OperatorStep): Resolved {
  if (charge.status === "kept" && isOtherDay(charge.correction, step)) return correctedDay(payment, charge, step);
  if (charge.status === "kept" && charge.contradicted) return stillKept(payment, charge, step);
  const trouble = whyNotKept(payment, charge);
  if (trouble !== undefined) return impossible(payment, trouble);
  const isOnItsWay = ["reversing", "reversalFailed", "inDoubt"].includes(charge.status);
  const notNow = isOnItsWay ? undefined : whyNotCorrected(payment, step);
  if (notNow) return notNow;
  const charges = withCharge(payment, decidedCharge(charge, "kept", step));
  const amounts = { ...payment.amounts, captured: payment.amounts.captured + charge.amount };
  const webhooks = [{ kind: "webhook", type: "payment.corrected", about: charge.chargeId }] as const;
  if (!isOnItsWay) return correct(payment, step, { charges, amounts }, webhooks);
  const { amount } = charge;
  const change = advance(payment, {
    ...step,
    event: "chargeKept",
    amount,
    set: { charges, amounts },
    effects: webhooks,
  });
  return change ? ok(change) : impossible(payment);
}

/** Records that the merchant still has a kept charge of which the terminal reported a void. */
const stillKept = (payment: Payment, charge: Charge, step: OperatorStep): Resolved =>
  correct(payment, step, { charges: withCharge(payment, decidedCharge(charge, "kept", step)) }, [
    { kind: "webhook", type: "payment.corrected", about: charge.chargeId },
  ]);

function whyNotKept(payment: Payment, charge: Charge): string | undefined {
  if (isOwnVoid(payment, charge))
    return "This is the payment's own charge. Record whether the payment is paid or unpaid.";
  if (charge.status === "captured" || charge.status === "kept") return `The charge is already ${charge.status}.`;
  if (charge.currency !== payment.currency)
    return "The charge and the payment have different currencies. Have the acquirer reverse the charge.";
  const isOwnUnknown = !wantedCharge(payment) && ownCaptured(payment) === 0;
  // A refund of the payment's own money may have been a refund of this charge. The charge could then be given back twice.
  if (isOwnUnknown && refundsOf(payment, undefined).length > 0)
    return "The payment's own money was refunded. If it came from this charge, record that the payment is paid with this charge.";
  return undefined;
}

/** Decides a discount in doubt: the paid amount does not show whether the terminal applied it. Its voucher is redeemed or released. */
export function ofDiscount(
  payment: Payment,
  { discountId, outcome }: DiscountResolution,
  step: OperatorStep,
): Resolved {
  const discount = payment.discounts.find((d) => isSame(d.discountId, discountId));
  if (!discount) return refuse(invalidField("discount", "invalid", "is not a discount of this payment"));
  if (discount.status !== "requested" || discount.statusReason !== "outcomeUnknown")
    return impossible(payment, `The discount is ${discount.status}, and its outcome is not in doubt.`);
  const decided = { ...discount, status: outcome, statusReason: undefined, updatedAt: step.now };
  const discounts = replacedDiscount(payment, decided);
  const amounts = { ...payment.amounts, discounted: appliedTotal(discounts) };
  return correct(payment, step, { discounts, amounts }, [{ kind: "webhook", type: "payment.corrected" }]);
}

function correct(
  payment: Payment,
  step: OperatorStep,
  set: Partial<Payment>,
  effects: readonly Effect<"payment">[],
): Resolved {
  const change = advance(payment, { ...step, event: "corrected", set, effects });
  return change ? ok(change) : impossible(payment);
}
