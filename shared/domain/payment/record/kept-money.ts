import { ownCharge, wantedCharge, type Charge } from "./charge.ts";
import type { Payment, Refund } from "./payment.ts";
import { tipIn } from "./tip.ts";

// A payment's captured money, by its source. Its own money is that of the wanted charge, or of a charge that no terminal has reported.
// Every charge that an operator left with the merchant (`kept`) holds further money. All sums are integer minor units.

/** The members that say what was captured of each source. */
interface Captured extends Pick<Payment, "amounts" | "ownTip"> {
  readonly charges: readonly Pick<Charge, "chargeId" | "status" | "amount" | "tip">[];
}
interface Money extends Captured, Pick<Payment, "refunds"> {}

/** The sum of the kept charges, which are all in the payment's currency. */
export const keptAmount = ({ charges }: Pick<Captured, "charges">): number =>
  charges.reduce((total, { status, amount }) => total + (status === "kept" ? amount : 0), 0);

/** The captured part of the payment's own money. */
export const ownCaptured = (payment: Pick<Captured, "amounts" | "charges">): number =>
  payment.amounts.captured - keptAmount(payment);

/** The merchant's money from a charge, in minor units. Money that is being given back counts until it is given back. */
export function amountHeld(
  payment: Pick<Payment, "amounts" | "charges">,
  { status, amount, captured = 0 }: Charge,
): number {
  switch (status) {
    case "captured":
      return ownCaptured(payment);
    case "kept":
      return amount;
    case "reversing":
    case "reversalFailed":
      return captured;
    case "authorized":
    case "voided":
    case "reversed":
    case "inDoubt":
      return 0;
  }
}

/** The refunds of a charge that succeeded or are pending. `undefined` names the payment's own money. */
export const refundsOf = ({ refunds }: Pick<Payment, "refunds">, chargeId: string | undefined): readonly Refund[] =>
  refunds.filter((refund) => refund.chargeId === chargeId && refund.status !== "failed");

/** The name under which refunds of this charge are stored. Refunds of the wanted charge are of the payment's own money (`undefined`). */
export const refundedAs = (
  payment: Pick<Payment, "charges">,
  { chargeId }: Pick<Charge, "chargeId">,
): string | undefined => (wantedCharge(payment)?.chargeId === chargeId ? undefined : chargeId);

/**
 * The amount that can still be refunded of a kept charge, or of the payment's own money if no charge is named. Each limit is separate: a
 * refund of one does not lower the limit of another. It is never below zero, even if an operator's resolution books more refunded than
 * captured.
 */
export function refundable(payment: Money, chargeId: string | undefined): number {
  const captured = capturedOf(payment, chargeId);
  return refundsOf(payment, chargeId).reduce((left, refund) => Math.max(0, left - amountOf(refund)), captured);
}

function capturedOf(payment: Pick<Captured, "amounts" | "charges">, chargeId: string | undefined): number {
  const kept = payment.charges.find((charge) => charge.chargeId === chargeId && charge.status === "kept");
  return chargeId === undefined ? ownCaptured(payment) : (kept?.amount ?? 0);
}

const amountOf = ({ made, amount }: Refund): number => made ?? amount;

/** The tip in what was captured of a kept charge, or of the payment's own money if no charge is named. */
export function capturedTip(payment: Captured, chargeId: string | undefined): number {
  const captured = capturedOf(payment, chargeId);
  const charge =
    chargeId === undefined ? wantedCharge(payment) : payment.charges.find((one) => one.chargeId === chargeId);
  return charge ? tipIn(charge, captured) : Math.min(payment.ownTip ?? 0, captured);
}

/** The tip in the approved amount. Undefined if nothing was approved, or if no tip was asked for or recorded. */
export function givenTip(payment: Pick<Payment, "charges" | "status" | "tip" | "ownTip">): number | undefined {
  const own = ownCharge(payment);
  return own?.tip ?? payment.ownTip ?? (payment.tip?.asked && own ? 0 : undefined);
}

/** The tip in all that was captured. */
export const allTip = (payment: Captured): number =>
  payment.charges.reduce(
    (sum, { chargeId, status }) => sum + (status === "kept" ? capturedTip(payment, chargeId) : 0),
    capturedTip(payment, undefined),
  );

/** A refund with its tip, if it was made: the sale is given back first, then the tip. Refunds that were made before it keep theirs. */
export function withRefundedTip(payment: Money, refund: Refund): Refund {
  const { chargeId, commandId, status } = refund;
  if (status !== "succeeded") return { ...refund, tip: undefined };
  const made = payment.refunds.filter(
    (one) => one.chargeId === chargeId && one.status === "succeeded" && one.commandId !== commandId,
  );
  const captured = capturedTip(payment, chargeId);
  const tipLeft = made.reduce((left, { tip = 0 }) => left - tip, captured);
  const saleLeft = made.reduce(
    (left, one) => left - (amountOf(one) - (one.tip ?? 0)),
    capturedOf(payment, chargeId) - captured,
  );
  const tip = Math.max(0, Math.min(amountOf(refund) - Math.max(0, saleLeft), tipLeft));
  return { ...refund, tip: tip || undefined };
}

/** Whether the merchant has money of the payment that was not given back. */
export function holdsMoney(payment: Money): boolean {
  const concluded = { ...payment, refunds: payment.refunds.filter(({ status }) => status === "succeeded") };
  const kept = payment.charges.flatMap(({ chargeId, status }) => (status === "kept" ? [chargeId] : []));
  return [undefined, ...kept].some((chargeId) => refundable(concluded, chargeId) > 0);
}

type Refunds = readonly Pick<Refund, "status" | "amount" | "made">[];

export const refundedAmount = (payment: { readonly refunds: Refunds }): number =>
  sum(payment.refunds, (r) => r.status === "succeeded");
export const refundPendingAmount = (payment: Payment): number => sum(payment.refunds, (r) => r.status === "pending");

const sum = (refunds: Refunds, counts: (refund: Refunds[number]) => boolean): number =>
  refunds.reduce((total, refund) => total + (counts(refund) ? (refund.made ?? refund.amount) : 0), 0);
