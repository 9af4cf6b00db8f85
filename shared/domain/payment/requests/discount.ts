import { advance, type Change, type Step } from "../life/advance.ts";
import type { Effect } from "../../effects.ts";
import { fromMinorUnits, proportion } from "../../money.ts";
import type { Decision, DecisionContext } from "../life/decision.ts";
import { eventBy } from "../life/event-by.ts";
import type { Reduction } from "./reduction.ts";
import { unfit } from "./what-fits.ts";
import { isFinal, payableAmount, type Discount, type Payment } from "../record/payment.ts";
import { invalidField, type Refusal } from "../../refusal.ts";
import { ok, refuse } from "../../result.ts";
import { tipChoices } from "../record/tip.ts";
import type { Instant } from "../../time.ts";

export interface DiscountRequest extends Reduction {
  readonly discountId: string;
  /** The idempotency key. If it is given, key and discountID must mean one discount, or both must be new. */
  readonly name?: string | undefined;
  readonly reason?: string | undefined;
}

/** The most discounts of a payment. Each is stored with it. */
const MAX_DISCOUNTS = 20;

const isOpen = (discount: Discount): boolean => discount.status === "requested";
/** Whether the terminal may have got the discount. A voucher's discount is not offered until the voucher is reserved. */
export const isOffered = (discount: Discount): boolean =>
  isOpen(discount) && (discount.voucherTokenId === undefined || discount.reserved === true);
const isApplied = (discount: Discount): boolean => discount.status === "applied";

/**
 * Offers a discount to the terminal, or finds that the request repeats one. The payment must be running, and the terminal must not have
 * locked its amount. No other discount may wait for the terminal's answer, so that the total in the message stays true. The total stays
 * above zero.
 */
export function requestDiscount(
  payment: Payment,
  request: DiscountRequest,
  context: DecisionContext,
): Decision<"idempotency_mismatch" | "invalid_state" | "validation_failed"> {
  const { discountId, voucherTokenId } = request;
  const { discounts } = payment;
  const repeated = repeats(discounts, request);
  if (repeated) return repeated;
  const trouble = whyNoOffer(payment) ?? wrongTotals(payment, request) ?? whyNoMore(payment);
  if (trouble) return refuse(trouble);
  const { now, commandId } = context;
  const discount: Discount = { ...request, status: "requested", commandId, createdAt: now, updatedAt: now };
  const offered = { discounts: [...discounts, discount] };
  const change = advance(payment, {
    ...context,
    event: "discount",
    by: "partner",
    amount: discount.amount,
    set: offered,
    effects: [
      voucherTokenId === undefined
        ? offer(payment, discount)
        : { kind: "voucherReservation", tokenId: voucherTokenId, discountId },
      eventBy("partner", "discount.requested", discountId),
    ],
  });
  return change ? ok(change) : refuse(unfit("discount", payment));
}

/** The decision on a known discountID or key: nothing changes if both mean the same offer. Undefined for new names. */
function repeats(
  discounts: readonly Discount[],
  request: DiscountRequest,
): Decision<"idempotency_mismatch"> | undefined {
  const { discountId, name } = request;
  const named = discounts.find((d) => d.discountId === discountId);
  const isOne = name === undefined || named === discounts.find((d) => d.name === name);
  if (isOne && !named) return undefined;
  if (isOne && named && isSameOffer(named, request)) return ok("unchanged");
  const detail = isOne
    ? "The discount of this name has another amount, percentage or voucher."
    : "The discountID and the Idempotency-Key do not belong to the same discount.";
  return refuse({ code: "idempotency_mismatch", detail });
}

function whyNoOffer({ amountLocked, discounts, status: currentStatus }: Payment): Refusal<"invalid_state"> | undefined {
  const locked = "The terminal has locked the amount. To take less, capture less, or refund a part.";
  if (amountLocked) return { code: "invalid_state", currentStatus, detail: locked };
  if (!discounts.some(isOpen)) return undefined;
  const detail =
    "The terminal has not answered the previous discount yet. Wait for discount.applied or discount.refused.";
  return { code: "invalid_state", currentStatus, detail };
}

const whyNoMore = ({ discounts, status: currentStatus }: Payment): Refusal<"invalid_state"> | undefined =>
  discounts.length < MAX_DISCOUNTS
    ? undefined
    : { code: "invalid_state", currentStatus, detail: `A payment has at most ${MAX_DISCOUNTS} discounts.` };

function wrongTotals(payment: Payment, request: DiscountRequest): Refusal<"validation_failed"> | undefined {
  const { amount, vatAfter } = request;
  const newTotal = payableAmount(payment) - amount;
  if (amount <= 0 || newTotal <= 0) return wrongReduction(payment, request);
  if (vatAfter === undefined || vatAfter <= newTotal) return undefined;
  const most = `must be at most ${fromMinorUnits(newTotal, payment.currency)}, the total that is left`;
  return invalidField("totalVatAmount", "out_of_range", most);
}

/** Refuses a reduction of nothing, or of the whole total. The refusal names the field that the reduction came from. */
function wrongReduction(payment: Payment, { amount, percent, voucherTokenId }: DiscountRequest) {
  const left = `${fromMinorUnits(payableAmount(payment), payment.currency)}, which is left to pay`;
  const reducesNothing = "must be more: it reduces the total by nothing";
  if (voucherTokenId !== undefined)
    return invalidField("voucherCode", "out_of_range", amount > 0 ? `must be worth less than ${left}` : reducesNothing);
  if (percent !== undefined)
    return invalidField(
      "discountPercent",
      "out_of_range",
      amount > 0 ? "must leave a total above zero" : reducesNothing,
    );
  return invalidField("discountAmount", "out_of_range", amount > 0 ? `must be below ${left}` : "must be above zero");
}

/**
 * Two offers of a voucher are the same, even if its reduction has changed since. Other discounts are compared by their percentage or
 * amount.
 */
function isSameOffer(named: Discount, request: DiscountRequest): boolean {
  if (named.voucherTokenId !== request.voucherTokenId) return false;
  if (named.voucherTokenId !== undefined) return true;
  return named.percent === request.percent && (named.percent !== undefined || named.amount === request.amount);
}

/** The message that offers a discount to the terminal, with the total that would be left to pay. */
function offer(payment: Payment, discount: Discount): Effect<"payment"> {
  const { discountId, amount } = discount;
  const { currency, expiresAt } = payment;
  const newTotal = payableAmount(payment) - amount;
  const newVat = vatLeft(payment, [...payment.discounts.filter(isApplied), discount]);
  const tip = payment.tip?.asked ? tipChoices(payment.tip, newTotal) : undefined;
  const message = { type: "discount", discountId, amount, newTotal, newVat, currency, tip } as const;
  return { kind: "message", message, expiresAt };
}

/** Records that the voucher is reserved for this payment, and offers its discount to the terminal. */
export const offerVoucher = (payment: Payment, discount: Discount, context: DecisionContext): Change | undefined =>
  advance(payment, {
    ...context,
    event: "voucherReserved",
    by: "platform",
    set: { discounts: replacedDiscount(payment, { ...discount, reserved: true, commandId: context.commandId }) },
    effects: [offer(payment, discount)],
  });

/** Refuses the discount because its voucher cannot be reserved. The terminal never gets it. */
export const refuseVoucher = (payment: Payment, discount: Discount, context: DecisionContext): Change | undefined =>
  conclude(
    payment,
    { ...discount, status: "refused", statusReason: "voucherUnavailable" },
    { ...context, by: "platform" },
  );

/** Records the terminal's answer to a discount, which fixes the payment's total. */
export const answerDiscount = (
  payment: Payment,
  discount: Discount,
  status: "applied" | "refused",
  context: DecisionContext,
): Change | undefined =>
  conclude(payment, { ...discount, status, statusReason: undefined }, { ...context, by: "terminal" });

function conclude(
  payment: Payment,
  concluded: Discount,
  context: DecisionContext & Pick<Step, "by">,
): Change | undefined {
  const { status, amount } = concluded;
  const discounts = replacedDiscount(payment, { ...concluded, updatedAt: context.now });
  return advance(payment, {
    ...context,
    event: status === "applied" ? "discountApplied" : "discountRefused",
    amount,
    set: { discounts, amounts: { ...payment.amounts, discounted: appliedTotal(discounts) } },
  });
}

export const replacedDiscount = (payment: Payment, discount: Discount): readonly Discount[] =>
  payment.discounts.map((d) => (d.discountId === discount.discountId ? discount : d));

/**
 * Whether the terminal may have applied the discount without an answer. The end of a payment closed its open discount as refused, so a
 * refused discount counts too if the payment has ended.
 */
const mayBeApplied = ({ status }: Payment, discount: Discount): boolean =>
  isOffered(discount) ||
  (isFinal(status) && discount.status === "refused" && isOffered({ ...discount, status: "requested" }));

/**
 * The discounts that an approval of this amount implies. A discount that explains the amount is applied, and every other open one is
 * refused. Undefined if no offered total has this amount. `approved` is in minor units.
 */
export function discountsInApproval(payment: Payment, approved: number, now: Instant): readonly Discount[] | undefined {
  const off = payableAmount(payment) - approved;
  const lowered = payment.discounts.find((d) => d.amount === off && mayBeApplied(payment, d));
  if (off !== 0 && !lowered) return undefined;
  return payment.discounts.map((d) => {
    const status = d === lowered ? "applied" : "refused";
    return d === lowered || isOpen(d) ? { ...d, status, statusReason: undefined, updatedAt: now } : d;
  });
}

/** The totals that the terminal may have charged, in minor units: the amount to pay, and that less a discount that it may have applied. */
export function possibleTotals(payment: Payment): readonly number[] {
  const total = payableAmount(payment);
  return [total, ...payment.discounts.filter((d) => mayBeApplied(payment, d)).map(({ amount }) => total - amount)];
}

/** The discounts that stay open because an amount does not show whether the terminal applied them. */
export const inDoubt = (payment: Payment, now: Instant): readonly Discount[] =>
  payment.discounts.map((d) => (isOffered(d) ? { ...d, statusReason: "outcomeUnknown", updatedAt: now } : d));

export const appliedTotal = (discounts: readonly Discount[]): number =>
  discounts.filter(isApplied).reduce((sum, { amount }) => sum + amount, 0);

/** The payment's VAT after its applied discounts, in minor units. */
export const vatAfterDiscounts = (payment: Payment): number | undefined =>
  vatLeft(payment, payment.discounts.filter(isApplied));

/** Discounts are taken off in their order. Each one states the VAT that is left, or reduces it in proportion to the total. */
function vatLeft({ amounts }: Payment, discounts: readonly Discount[]): number | undefined {
  let { requested: total, vat } = amounts;
  for (const { amount, vatAfter } of discounts) {
    vat = vatAfter ?? (vat === undefined ? undefined : proportion(vat, total - amount, total));
    total -= amount;
  }
  return vat;
}
