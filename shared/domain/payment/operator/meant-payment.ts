import { invalidAmount } from "../../amount-problem.ts";
import { shownMoney, toMinorUnits } from "../../money.ts";
import { invalidField, type Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
import { ownCaptured } from "../record/kept-money.ts";
import { isGivenBack, ownCharge, type Charge } from "../record/charge.ts";
import { payableAmount, type Payment } from "../record/payment.ts";
import { tipIn } from "../record/tip.ts";
import { possibleTotals } from "../requests/discount.ts";
import { takenAmounts } from "./reported-amounts.ts";
import { minorOf, tooMuch, type OperatorStep, type PaymentResolution } from "./resolution.ts";

// The charge, the amount and the tip that an operator means by a payment that is paid.

export const mayHoldMoney = (charge: Charge): boolean => !isGivenBack(charge);

/** The charge by which the payment was paid, if known, the amount in minor units, and the part of it that is tip. */
export interface Meant {
  readonly charge: Charge | undefined;
  readonly amount: number;
  readonly tip: number;
}

/** The tip in all that the charge approved. A part of an approval takes the sale first, so the rest of it is tip. */
export function approvedTip({ charge, amount, tip }: Meant): number {
  const rest = Math.max(0, (charge?.amount ?? amount) - amount);
  return tip > 0 ? tip + rest : Math.min(charge?.tip ?? 0, rest);
}

/** The approved amount without its tip, which the discounts explain. */
export const saleOf = (meant: Meant): number => {
  const { charge, amount, tip } = meant;
  const approved = charge?.amount ?? amount;
  return (tip > 0 ? Math.max(approved, amount) : approved) - approvedTip(meant);
};

/** Reads what the operator means. Refused if several charges, amounts or tips are possible. */
export function meantBy(
  payment: Payment,
  said: PaymentResolution,
  step: OperatorStep,
): Result<Meant, Refusal<"validation_failed">> {
  const named = said.chargeId === undefined ? ok(undefined) : chargeNamed(payment, said.chargeId);
  if (!named.ok) return named;
  const amount = amountPaid(payment, said.amount, named.value);
  if (!amount.ok) return amount;
  const charge = named.value ? named : chargeOfAmount(payment, amount.value, said.amount !== undefined);
  if (!charge.ok) return charge;
  const meant =
    charge.value && said.amount === undefined
      ? wholly(payment, charge.value)
      : withinReported(payment, { charge: charge.value, amount: amount.value }, step);
  if (!meant.ok) return meant;
  const tip = tipPaid(payment, said.tip, meant.value);
  return tip.ok ? ok({ ...meant.value, tip: tip.value }) : tip;
}

/** The charge and the amount, before the tip is known. */
type Paid = Omit<Meant, "tip">;

/** The charge with its only possible amount, if the operator named no amount. */
function wholly(payment: Payment, charge: Charge): Result<Paid, Refusal<"validation_failed">> {
  const amount = onlyAmount(payment, charge);
  return amount.ok ? ok({ charge, amount: amount.value }) : amount;
}

/** More than the charge has is accepted only if the terminal reported it. */
function withinReported(
  payment: Payment,
  meant: Paid,
  { reports = [] }: OperatorStep,
): Result<Paid, Refusal<"validation_failed">> {
  const { charge, amount } = meant;
  const most = charge ? Math.max(charge.amount, ...takenAmounts(reports, payment, charge)) : amount;
  return amount > most ? tooMuch(most, payment.currency) : ok(meant);
}

function chargeNamed(payment: Payment, chargeId: string): Result<Charge, Refusal<"validation_failed">> {
  const invalid = (message: string) => refuse(invalidField("charge", "invalid", message));
  const charge = payment.charges.find((c) => c.chargeId.toLowerCase() === chargeId.toLowerCase());
  if (!charge) return invalid("is not a charge of this payment");
  if (charge.currency !== payment.currency) return invalid("must have the payment's currency");
  return charge.status === "kept" ? invalid("is already kept in addition to the payment's own charge") : ok(charge);
}

function amountPaid(
  payment: Payment,
  major: number | undefined,
  named: Charge | undefined,
): Result<number, Refusal<"validation_failed">> {
  if (major === undefined) return onlyAmount(payment, named ?? ownCharge(payment));
  return minorOf("amount", major, payment.currency);
}

/** The amount, if only one is possible: of the charge, or of the totals that the terminal was offered. */
function onlyAmount(payment: Payment, charge: Charge | undefined): Result<number, Refusal<"validation_failed">> {
  const recorded = ownCaptured(payment);
  const possible = charge
    ? amountsOf(payment, charge)
    : [...possibleTotals(payment), ...(recorded > 0 ? [recorded] : [])];
  const [only, ...more] = new Set(possible);
  const isTipped = !charge && payment.tip?.asked === true;
  if (only !== undefined && more.length === 0 && !isTipped) return ok(only);
  const shown = [only ?? 0, ...more].map((amount) => shownMoney(amount, payment.currency)).join(" or ");
  return refuse(
    invalidField("amount", "required", `is required: ${shown} is possible${isTipped ? ", and a tip" : ""}`),
  );
}

/** The amounts that may have been captured of a charge, in minor units: all of it, the requested part, or the booked part. */
function amountsOf(payment: Payment, charge: Charge): readonly number[] {
  const booked = charge.status === "captured" ? ownCaptured(payment) : charge.captured;
  return [charge.amount, payment.captureAmount ?? charge.amount, booked ?? charge.amount];
}

/**
 * The known charge of that amount. The wanted charge comes first, and may be captured in part. Undefined if no charge is known. The
 * operator must name the charge if several fit, or if the known charge was given back.
 */
function chargeOfAmount(
  payment: Payment,
  amount: number,
  isSaid: boolean,
): Result<Charge | undefined, Refusal<"validation_failed">> {
  const wanted = ownCharge(payment);
  const known = payment.charges.filter((c) => c.currency === payment.currency && c.status !== "kept");
  const exact = known.filter((charge) => charge.amount === amount);
  if (wanted && (exact.length === 0 || exact.includes(wanted))) return ok(wanted);
  const [only, ...more] = exact.filter(mayHoldMoney);
  const isPlain = only ? !wanted && more.length === 0 : exact.length === 0 && (isSaid || known.length === 0);
  if (isPlain) return ok(only);
  const names = (exact.length > 0 ? exact : known).map(({ chargeId }) => chargeId).join(", ");
  return refuse(invalidField("charge", "required", `must name the charge that paid it: one of ${names}`));
}

/**
 * The tip in an amount that was paid, in minor units. A known charge keeps its tip, and so does money without one. The operator must name the tip if more than the amount to
 * pay was taken and the terminal was to ask for one.
 *
 * @param major the tip that the operator names, in the currency's major unit
 */
function tipPaid(
  payment: Payment,
  major: number | undefined,
  { charge, amount }: { readonly charge: Charge | undefined; readonly amount: number },
): Result<number, Refusal<"validation_failed">> {
  if (major !== undefined) return namedTip(payment, major, amount);
  const tip = charge ? tipIn(charge, amount) : Math.min(payment.ownTip ?? 0, amount);
  if (!payment.tip?.asked || amount - tip <= payableAmount(payment)) return ok(tip);
  const shown = shownMoney(payableAmount(payment), payment.currency);
  return refuse(
    invalidField("tip", "required", `is required: more than the ${shown} to pay was taken, and a tip was asked for`),
  );
}

function namedTip({ currency }: Payment, major: number, amount: number): Result<number, Refusal<"validation_failed">> {
  const tip = toMinorUnits(major, currency);
  if (!tip.ok) return refuse(invalidAmount("tip", tip.error, currency));
  return tip.value < amount ? tip : refuse(invalidField("tip", "out_of_range", "must be below the amount"));
}
