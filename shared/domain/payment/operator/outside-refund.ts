import { shownMoney } from "../../money.ts";
import { invalidField, type Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
import { cleanText, storableText } from "../../texts.ts";
import { advance } from "../life/advance.ts";
import { chargeInDoubt, contradictedCharge } from "../record/charge.ts";
import { ownCaptured, refundable, refundedAs, refundsOf, withRefundedTip } from "../record/kept-money.ts";
import { textLimits } from "../record/record-limits.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { noRoom, withRoom } from "../requests/undelivered-refunds.ts";
import { impossible, minorOf, type OperatorStep, type OutsideResolution, type Resolved } from "./resolution.ts";

// Captured money that the merchant returned without the terminal, through the acquirer. The terminal is broken or retired.

/** The reason that the partner reads. */
const REASON = "Returned outside the platform";

/** Whether an operator recorded the refund as made without the terminal. */
export const isOutside = ({ outsideReference }: Refund): boolean => outsideReference !== undefined;

/** No comparison of a terminal's day counts such a refund. */
export const notCounted = invalidField(
  "business-day",
  "invalid",
  "must be left out: the terminal did not count this money",
);

/** The acquirer's reference as it is stored. Empty if it is blank or too long. */
export function storableReference(reference: string): string {
  const text = cleanText(reference).trim();
  const stored = storableText(text, textLimits.short);
  return stored === text ? stored : "";
}

/**
 * Records a refund that was made without the terminal. No message is sent, and it is booked as a correction. It needs no alert, because it
 * never exceeds what can be refunded. Refused while the same money may still move otherwise.
 */
export function outsideRefund(payment: Payment, said: OutsideResolution, step: OperatorStep): Resolved {
  if (step.businessDay !== undefined) return refuse(notCounted);
  const { now, commandId, operator } = step;
  if (!operator?.reference)
    return refuse(invalidField("reference", "invalid", `must have 1 to ${textLimits.short} characters`));
  const source = sourceOf(payment, said);
  if (!source.ok) return source;
  const chargeId = source.value;
  const amount = amountOf(payment, chargeId, said.amount);
  if (!amount.ok) return amount;
  const refund: Refund = {
    refundId: commandId,
    idAsReceived: commandId,
    names: [],
    amount: amount.value,
    chargeId,
    reason: REASON,
    status: "succeeded",
    statusReason: "settledByOperator",
    outsideReference: operator.reference,
    commandId,
    sequence: payment.sequence + 1,
    createdAt: now,
    updatedAt: now,
  };
  const { refunds, undelivered } = withRoom(payment) ?? payment;
  const change = advance(payment, {
    ...step,
    event: "refunded",
    amount: amount.value,
    set: { refunds: [...refunds, withRefundedTip(payment, refund)], undelivered },
    effects: [{ kind: "webhook", type: "refund.succeeded", about: refund.refundId }],
  });
  return change ? ok(change) : impossible(payment);
}

/** The money that was returned, as refunds name it: a kept charge, or the payment's own (`undefined`). */
function sourceOf(
  payment: Payment,
  { chargeId: typed }: OutsideResolution,
): Result<string | undefined, Refusal<"invalid_state" | "validation_failed">> {
  const doubted = chargeInDoubt(payment) ?? contradictedCharge(payment);
  if (doubted)
    return impossible(payment, `Record the outcome of the charge ${doubted.chargeId} first: it contradicts the books.`);
  const charge = payment.charges.find((one) => one.chargeId.toLowerCase() === typed?.toLowerCase());
  if (typed !== undefined && !charge)
    return refuse(invalidField("charge", "invalid", "is not a charge of this payment"));
  const chargeId = charge && refundedAs(payment, charge);
  const trouble = whyNotCaptured(payment, chargeId) ?? whyNotNow(payment, chargeId);
  return trouble === undefined ? ok(chargeId) : impossible(payment, trouble);
}

function whyNotCaptured(payment: Payment, chargeId: string | undefined): string | undefined {
  if (chargeId === undefined)
    return ownCaptured(payment) > 0
      ? undefined
      : "The payment's own money is not captured. If the money of a kept charge was returned, name that charge.";
  const { status } = payment.charges.find((one) => one.chargeId === chargeId) ?? {};
  return status === "kept" ? undefined : `The charge is ${status}, so the merchant does not have its money.`;
}

function whyNotNow(payment: Payment, chargeId: string | undefined): string | undefined {
  const pending = refundsOf(payment, chargeId).find(({ status }) => status === "pending");
  if (pending) return `The refund ${pending.refundId} of this money is pending. Record its outcome first.`;
  if (!withRoom(payment)) return noRoom;
  return refundable(payment, chargeId) > 0 ? undefined : "Nothing is left of this money: all of it is refunded.";
}

/** The amount in minor units, above zero and at most what is left. */
function amountOf(
  payment: Payment,
  chargeId: string | undefined,
  major: number,
): Result<number, Refusal<"validation_failed">> {
  const { currency } = payment;
  const minor = minorOf("refunded-outside", major, currency);
  if (!minor.ok) return minor;
  const left = refundable(payment, chargeId);
  return minor.value > left
    ? refuse(invalidField("refunded-outside", "out_of_range", `must be at most ${shownMoney(left, currency)}`))
    : minor;
}
