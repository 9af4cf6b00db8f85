import { wantedCharge, type Charge, type Payment, type Refund } from "./payment.ts";

// A payment's captured money, by where it is from. Its own money is that of the wanted charge, or of one that no terminal has told of;
// every charge that an operator left with the merchant holds money beside it. All sums are integer minor units.

type Money = Pick<Payment, "amounts" | "charges" | "refunds">;

/** What kept charges hold. They are of the payment's currency. */
export const keptAmount = ({ charges }: Pick<Payment, "charges">): number =>
  charges.reduce((total, { status, amount }) => total + (status === "kept" ? amount : 0), 0);

/** What was captured of the payment's own money. */
export const ownCaptured = (payment: Pick<Payment, "amounts" | "charges">): number =>
  payment.amounts.captured - keptAmount(payment);

/** What a charge was refunded by, succeeded and pending; `undefined` is the payment's own money. */
export const refundsOf = ({ refunds }: Pick<Payment, "refunds">, chargeId: string | undefined): readonly Refund[] =>
  refunds.filter((refund) => refund.chargeId === chargeId && refund.status !== "failed");

/** The name under which refunds of this charge are kept: the wanted one's are of the payment's own money. */
export const refundedAs = (
  payment: Pick<Payment, "charges">,
  { chargeId }: Pick<Charge, "chargeId">,
): string | undefined => (wantedCharge(payment)?.chargeId === chargeId ? undefined : chargeId);

/**
 * What can still be refunded of a kept charge, or of the payment's own money where none is named. It is judged for each by itself: what was
 * given back of one makes up for no other. Never below zero, also where an operator says that more went back than was taken.
 */
export function refundable(payment: Money, chargeId: string | undefined): number {
  const kept = payment.charges.find((charge) => charge.chargeId === chargeId && charge.status === "kept");
  const captured = chargeId === undefined ? ownCaptured(payment) : (kept?.amount ?? 0);
  return refundsOf(payment, chargeId).reduce((left, refund) => Math.max(0, left - amountOf(refund)), captured);
}

const amountOf = ({ made, amount }: Refund): number => made ?? amount;

/** The merchant has money of it that is not given back. */
export function holdsMoney(payment: Money): boolean {
  const concluded = { ...payment, refunds: payment.refunds.filter(({ status }) => status === "succeeded") };
  const kept = payment.charges.flatMap(({ chargeId, status }) => (status === "kept" ? [chargeId] : []));
  return [undefined, ...kept].some((chargeId) => refundable(concluded, chargeId) > 0);
}
