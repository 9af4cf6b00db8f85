import type { RaisedAlert } from "../../alert.ts";
import { shownMoney } from "../../money.ts";
import { invalidField, type Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
import { advance } from "../life/advance.ts";
import { keptAmount, ownCaptured, refundsOf } from "../record/kept-money.ts";
import { appliedTotal, discountsInApproval, inDoubt, isOffered, possibleTotals } from "../requests/discount.ts";
import { chargeInDoubt, isGivenBack, ownCharge, wantedCharge, withCharge, type Charge } from "../record/charge.ts";
import { isFinal, type Discount, type Payment } from "../record/payment.ts";
import type { Instant } from "../../time.ts";
import { isCalledBack, othersBack } from "./others-back.ts";
import {
  bookedAs,
  decidedCharge,
  impossible,
  isOtherDay,
  minorOf,
  onDay,
  tooMuch,
  type OperatorStep,
  type PaymentResolution,
  type Resolved,
} from "./resolution.ts";
import { takenAmounts } from "./reported-amounts.ts";

// An operator's resolution of the payment itself: it is paid, or no money was taken for it.

const mayHoldMoney = (charge: Charge): boolean => !isGivenBack(charge);

/**
 * Resolves the payment as paid. The charge that the operator means becomes the wanted charge. If no charge is known, the first reported
 * charge of that amount confirms the payment. Every other charge is reversed and raises an alert, unless it is kept. The amount settles an
 * open discount, as an approval does. If it does not show whether the discount was applied, its voucher stays held, with an alert.
 */
export function paid(payment: Payment, said: PaymentResolution, step: OperatorStep): Resolved {
  const meant = meantBy(payment, said, step);
  if (!meant.ok) return meant;
  const { charge, amount } = meant.value;
  const others = payment.charges.filter((c) => c !== charge && c.status !== "kept" && mayHoldMoney(c));
  const { correction: standing } = charge ?? payment;
  if (isBooked(payment, meant.value) && !chargeInDoubt({ charges: others }) && !isOtherDay(standing, step))
    return impossible(payment, "The payment's books already have this outcome.");
  const back = othersBack(payment, others, step);
  if (!back.ok) return back;
  const settled = settledDiscounts(payment, charge?.amount ?? amount, step);
  const { event, webhooks } = bookedAs(payment, "paid");
  const change = advance(payment, {
    ...step,
    event,
    amount,
    set: paidFacts({ ...payment, charges: back.value.charges, discounts: settled.discounts }, meant.value, step),
    effects: [...back.value.effects, ...webhooks],
    alerts: [...others.map(notMeant), ...settled.alerts],
  });
  return change ? ok(change) : impossible(payment);
}

/**
 * The members of a paid payment: its captured charge or its own money without one, and the amounts. A charge of which more was taken than it
 * has is a charge of that amount from then on.
 */
function paidFacts(payment: Payment, { charge, amount }: Meant, step: OperatorStep): Partial<Payment> {
  const { charges: others, discounts, amounts } = payment;
  const correction = onDay((charge ?? payment).correction, step);
  const authorized = Math.max(charge?.amount ?? 0, amount);
  const whole = { amount: authorized, correction, voidReason: undefined };
  const charges = charge ? withCharge(payment, { ...decidedCharge(charge, "captured", step), ...whole }) : others;
  return {
    charges,
    discounts,
    ...(!charge && { correction }),
    amounts: {
      ...amounts,
      authorized,
      captured: amount + keptAmount({ charges }),
      discounted: appliedTotal(discounts),
    },
  };
}

const isBooked = (payment: Payment, { charge, amount }: Meant): boolean =>
  ownCaptured(payment) === amount &&
  (charge ? charge.status === "captured" && !charge.contradicted : !wantedCharge(payment));

/** The discounts after payment of an amount, and the alerts about them. */
interface Settled {
  readonly discounts: readonly Discount[];
  readonly alerts: readonly RaisedAlert[];
}

/** The discounts after payment of this amount, in minor units. Those that it does not explain stay in doubt, with an alert. */
function settledDiscounts(payment: Payment, authorized: number, { now, vouchersElsewhere }: OperatorStep): Settled {
  const open = payment.discounts.filter(isOffered);
  const explained = discountsInApproval(payment, authorized, now);
  if (explained) return withFreeVouchers(payment, explained, vouchersElsewhere);
  if (open.length === 0) return { discounts: payment.discounts, alerts: [] };
  const paidText = shownMoney(authorized, payment.currency);
  const alerts = open.map(({ discountId: about, voucherTokenId }) => {
    const voucher = voucherTokenId === undefined ? "" : `; the voucher ${voucherTokenId} stays held`;
    return {
      alert: "amountDiffers",
      about,
      detail: `no total explains the ${paidText} that was paid${voucher}`,
    } as const;
  });
  return { discounts: inDoubt(payment, now), alerts };
}

/** A discount is not applied again without its voucher, which another payment has or nobody can use any more. An alert names it. */
function withFreeVouchers(
  payment: Payment,
  explained: readonly Discount[],
  elsewhere: ReadonlySet<string> = new Set(),
): Settled {
  const lacking = explained.filter((d) => d.status === "applied" && elsewhere.has(d.voucherTokenId ?? ""));
  const alerts = lacking.map(({ discountId: about, voucherTokenId }) => {
    const detail = `the paid amount is less this discount, and its voucher ${voucherTokenId} is not free`;
    return { alert: "amountDiffers", about, detail } as const;
  });
  return { discounts: explained.map((d, i) => (lacking.includes(d) ? (payment.discounts[i] ?? d) : d)), alerts };
}

const notMeant = ({ chargeId: about }: Charge): RaisedAlert => ({
  alert: "unwantedApproval",
  about,
  detail: "the payment is paid by another charge",
});

/** Resolves the payment as unpaid. Every charge that may hold money is reversed. The order and the voucher are released at once. */
export function unpaid(payment: Payment, step: OperatorStep): Resolved {
  const holding = payment.charges.filter(mayHoldMoney);
  const isOwnUnknown = !wantedCharge(payment) && ownCaptured(payment) > 0;
  if (isOwnUnknown && refundsOf(payment, undefined).length > 0)
    return impossible(payment, "The payment's money was refunded. Record the outcome of its refunds first.");
  if (isFinal(payment.status) && payment.amounts.captured === 0 && holding.every(isCalledBack))
    return impossible(payment, "The payment's books already have this outcome.");
  const back = othersBack(payment, holding, step);
  if (!back.ok) return back;
  const { charges, effects } = back.value;
  const authorized = charges.length === 0 ? 0 : payment.amounts.authorized;
  const { event, webhooks } = bookedAs(payment, "unpaid");
  const change = advance(payment, {
    ...step,
    event,
    set: { charges, discounts: closed(payment, step.now), amounts: { ...payment.amounts, authorized, captured: 0 } },
    effects: [...effects, ...webhooks],
  });
  return change ? ok(change) : impossible(payment);
}

/** Without money, no discount was applied. A discount in doubt is refused, and its voucher is released. */
const closed = ({ discounts }: Payment, now: Instant): readonly Discount[] =>
  discounts.map((d) =>
    d.status === "requested" ? { ...d, status: "refused", statusReason: undefined, updatedAt: now } : d,
  );

/** The charge by which the payment was paid, if known, and the amount in minor units. */
interface Meant {
  readonly charge: Charge | undefined;
  readonly amount: number;
}

function meantBy(
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
  return charge.value && said.amount === undefined
    ? wholly(payment, charge.value)
    : withinReported(payment, { charge: charge.value, amount: amount.value }, step);
}

/** The charge with its only possible amount, if the operator named no amount. */
function wholly(payment: Payment, charge: Charge): Result<Meant, Refusal<"validation_failed">> {
  const amount = onlyAmount(payment, charge);
  return amount.ok ? ok({ charge, amount: amount.value }) : amount;
}

/** More than the charge has is accepted only if the terminal reported it. */
function withinReported(payment: Payment, meant: Meant, { reports = [] }: OperatorStep) {
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
  if (only !== undefined && more.length === 0) return ok(only);
  const shown = [only ?? 0, ...more].map((amount) => shownMoney(amount, payment.currency)).join(" or ");
  return refuse(invalidField("amount", "required", `is required: ${shown} is possible`));
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
