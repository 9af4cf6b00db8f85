import type { RaisedAlert } from "../../alert.ts";
import { shownMoney } from "../../money.ts";
import type { Instant } from "../../time.ts";
import type { Charge } from "../record/charge.ts";
import { payableAmount, type Discount, type Payment } from "../record/payment.ts";
import type { Report } from "../record/report.ts";
import { maximumTip } from "../record/tip.ts";
import { discountsInApproval, isOffered } from "../requests/discount.ts";

// The amounts that a terminal may take for a payment. Each is the amount to pay, perhaps less a discount, and with the tip that it was to ask
// for. All amounts are integer minor units.

/** An amount that a terminal took. `tipAmount` is the part that it names as tip, if it names any. */
type Taken = Pick<Report, "tipAmount"> & { readonly amount: number };

/** The parts of an amount. */
export interface Explained {
  /** The payment's discounts, each applied or refused. */
  readonly discounts: readonly Discount[];
  readonly tip: number;
}

/**
 * The discounts and the tip that explain an approved amount. A named tip counts if it was asked for, is at most the maximum, and the
 * discounts explain the rest. Otherwise the amount alone decides: it is an amount to pay, or, if no discount is open, one with a tip up to
 * the maximum. Undefined if nothing explains the amount.
 */
export function explainedApproval(payment: Payment, taken: Taken, now: Instant): Explained | undefined {
  const { amount } = taken;
  const named = namedTip(payment, taken);
  const withNamed = named > 0 ? discountsInApproval(payment, amount - named, now) : undefined;
  if (withNamed) return { discounts: withNamed, tip: named };
  const withoutTip = discountsInApproval(payment, amount, now);
  if (withoutTip) return { discounts: withoutTip, tip: 0 };
  const tip = excessTip(payment, amount);
  const discounts = payment.discounts.some(isOffered) ? undefined : discountsInApproval(payment, amount - tip, now);
  return discounts && { discounts, tip };
}

/** The most likely tip in an amount that nothing explains. */
export const unexplainedTip = (payment: Payment, taken: Taken): number =>
  namedTip(payment, taken) || excessTip(payment, taken.amount);

/** The named tip, if it was asked for and is at most the maximum. Otherwise 0. */
export const namedTip = (payment: Payment, { amount, tipAmount = 0 }: Taken): number =>
  tipAmount <= maximumTip(payment, amount - tipAmount) ? tipAmount : 0;

/** The excess above the amount to pay, if it can be a tip. Otherwise 0. */
function excessTip(payment: Payment, amount: number): number {
  const excess = amount - payableAmount(payment);
  return excess > 0 && excess <= maximumTip(payment, payableAmount(payment)) ? excess : 0;
}

/** The most that a terminal may take for the payment. */
export const mostTaken = (payment: Payment): number =>
  payableAmount(payment) + maximumTip(payment, payableAmount(payment));

/** Why an amount above the largest one does not fit. Undefined if no tip was asked for, or if the amount is not above it. */
export function tooMuchText(payment: Payment, amount: number, currency: string): string | undefined {
  const payable = payableAmount(payment);
  const most = maximumTip(payment, payable);
  if (most === 0 || currency !== payment.currency || amount <= mostTaken(payment)) return undefined;
  const shown = (minor: number) => shownMoney(minor, currency);
  return `${shown(amount)} was taken for ${shown(payable)}, and a tip can be at most ${shown(most)}`;
}

/** The alert for an amount that nothing explains, or for a named tip that does not fit the amount. */
export function unexplained(
  { tipAmount }: Report,
  { chargeId: about, amount, currency }: Charge,
  explained: Explained | undefined,
): readonly RaisedAlert[] {
  const alert = "amountDiffers";
  if (!explained)
    return [{ alert, about, detail: `the terminal reported ${shownMoney(amount, currency)}, after a restore` }];
  if (tipAmount === undefined || tipAmount === explained.tip) return [];
  const counted = `${shownMoney(explained.tip, currency)} of ${shownMoney(amount, currency)} counts as tip`;
  return [{ alert, about, detail: `the terminal reported a tip of ${shownMoney(tipAmount, currency)}; ${counted}` }];
}

/** The alert for a named tip in an amount that is given back. The terminal took a tip that it was not asked to take. */
export const unwantedTip = (
  { tipAmount = 0 }: Report,
  { chargeId: about, amount, currency }: Charge,
): readonly RaisedAlert[] => {
  const detail = `the terminal reported a tip of ${shownMoney(tipAmount, currency)} in ${shownMoney(amount, currency)}, which is given back`;
  return tipAmount > 0 ? [{ alert: "amountDiffers", about, detail }] : [];
};
