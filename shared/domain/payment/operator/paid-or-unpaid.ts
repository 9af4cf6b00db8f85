import type { RaisedAlert } from "../../alert.ts";
import { shownMoney } from "../../money.ts";
import { ok } from "../../result.ts";
import { advance } from "../life/advance.ts";
import { capturedTip, keptAmount, ownCaptured, refundsOf } from "../record/kept-money.ts";
import { appliedTotal, discountsInApproval, inDoubt, isOffered } from "../requests/discount.ts";
import { chargeInDoubt, wantedCharge, withCharge, type Charge } from "../record/charge.ts";
import { isFinal, type Discount, type Payment } from "../record/payment.ts";
import type { Instant } from "../../time.ts";
import { approvedTip, mayHoldMoney, meantBy, saleOf, type Meant } from "./meant-payment.ts";
import { isCalledBack, othersBack } from "./others-back.ts";
import {
  bookedAs,
  decidedCharge,
  impossible,
  isOtherDay,
  onDay,
  type OperatorStep,
  type PaymentResolution,
  type Resolved,
} from "./resolution.ts";

// An operator's resolution of the payment itself: it is paid, or no money was taken for it.

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
  const settled = settledDiscounts(payment, saleOf(meant.value), step);
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
function paidFacts(payment: Payment, meant: Meant, step: OperatorStep): Partial<Payment> {
  const { charge, amount } = meant;
  const { charges: others, discounts, amounts } = payment;
  const correction = onDay((charge ?? payment).correction, step);
  const authorized = Math.max(charge?.amount ?? 0, amount);
  const tip = approvedTip(meant) || undefined;
  const whole = { amount: authorized, tip, correction, voidReason: undefined };
  const charges = charge ? withCharge(payment, { ...decidedCharge(charge, "captured", step), ...whole }) : others;
  return {
    charges,
    discounts,
    ...(!charge && { correction }),
    ownTip: charge ? undefined : tip,
    amounts: {
      ...amounts,
      authorized,
      captured: amount + keptAmount({ charges }),
      discounted: appliedTotal(discounts),
    },
  };
}

const isBooked = (payment: Payment, { charge, amount, tip }: Meant): boolean =>
  ownCaptured(payment) === amount &&
  capturedTip(payment, undefined) === tip &&
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
    set: {
      charges,
      discounts: closed(payment, step.now),
      ownTip: undefined,
      amounts: { ...payment.amounts, authorized, captured: 0 },
    },
    effects: [...effects, ...webhooks],
  });
  return change ? ok(change) : impossible(payment);
}

/** Without money, no discount was applied. A discount in doubt is refused, and its voucher is released. */
const closed = ({ discounts }: Payment, now: Instant): readonly Discount[] =>
  discounts.map((d) =>
    d.status === "requested" ? { ...d, status: "refused", statusReason: undefined, updatedAt: now } : d,
  );
