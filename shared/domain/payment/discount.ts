import { advance, type Change, type Step } from "./advance.ts";
import type { Effect } from "../effects.ts";
import { proportion } from "../money.ts";
import type { Decision, DecisionContext } from "./decision.ts";
import type { Reduction } from "./reduction.ts";
import { payableAmount, type Discount, type Payment } from "./payment.ts";
import { invalidField, type Refusal } from "../refusal.ts";
import { ok, refuse } from "../result.ts";
import type { Instant } from "../time.ts";
import { whyTooLarge } from "./weight.ts";

export interface DiscountRequest extends Reduction {
  readonly discountId: string;
  readonly reason?: string | undefined;
}

/** So many discounts a payment can have; each is kept with it. */
const MAX_DISCOUNTS = 20;

const isOpen = (discount: Discount): boolean => discount.status === "requested";
/** The terminal may know of it: a voucher waits until it is reserved. */
export const isOffered = (discount: Discount): boolean =>
  isOpen(discount) && (discount.voucherTokenId === undefined || discount.reserved === true);
const isApplied = (discount: Discount): boolean => discount.status === "applied";

/**
 * Offers a discount to the terminal, or finds that the request repeats one. Only while the payment runs, the terminal has not
 * locked its amount, and no other discount waits for its answer: what it is told is left to pay must hold. The total stays
 * above zero.
 */
export function requestDiscount(
  payment: Payment,
  request: DiscountRequest,
  context: DecisionContext,
): Decision<"idempotency_mismatch" | "invalid_state" | "validation_failed"> {
  const { discountId, voucherTokenId } = request;
  const { status: currentStatus, discounts } = payment;
  const named = discounts.find((d) => d.discountId === discountId);
  if (named) return isSameOffer(named, request) ? ok("unchanged") : refuse({ code: "idempotency_mismatch" });
  const trouble = whyNoOffer(payment) ?? wrongTotals(payment, request) ?? whyNoMore(payment);
  if (trouble) return refuse(trouble);
  const { now, commandId } = context;
  const discount: Discount = { ...request, status: "requested", commandId, createdAt: now, updatedAt: now };
  const offered = { discounts: [...discounts, discount] };
  const tooLarge = whyTooLarge({ ...payment, ...offered });
  if (tooLarge) return refuse(tooLarge);
  const change = advance(payment, {
    ...context,
    event: "discount",
    by: "partner",
    set: offered,
    effects: [
      voucherTokenId === undefined
        ? offer(payment, discount)
        : { kind: "voucherReservation", tokenId: voucherTokenId, discountId },
    ],
  });
  return change ? ok(change) : refuse({ code: "invalid_state", currentStatus });
}

function whyNoOffer({ amountLocked, discounts, status: currentStatus }: Payment): Refusal<"invalid_state"> | undefined {
  if (amountLocked) return { code: "invalid_state", currentStatus, detail: "The terminal has locked the amount." };
  if (!discounts.some(isOpen)) return undefined;
  const detail = "Another discount still waits for the terminal's answer.";
  return { code: "invalid_state", currentStatus, detail };
}

const whyNoMore = ({ discounts, status: currentStatus }: Payment): Refusal<"invalid_state"> | undefined =>
  discounts.length < MAX_DISCOUNTS
    ? undefined
    : { code: "invalid_state", currentStatus, detail: `A payment has at most ${MAX_DISCOUNTS} discounts.` };

function wrongTotals(
  payment: Payment,
  { amount, vatAfter }: DiscountRequest,
): Refusal<"validation_failed"> | undefined {
  const newTotal = payableAmount(payment) - amount;
  if (amount <= 0 || newTotal <= 0) {
    return invalidField("discountAmount", "out_of_range", "must leave a total above zero");
  }
  if (vatAfter === undefined || vatAfter <= newTotal) return undefined;
  return invalidField("totalVatAmount", "out_of_range", "must not be above the total that is left");
}

/** A voucher is the same whatever it is worth by now; other discounts are by what they take off. */
function isSameOffer(named: Discount, request: DiscountRequest): boolean {
  if (named.voucherTokenId !== request.voucherTokenId) return false;
  if (named.voucherTokenId !== undefined) return true;
  return named.percent === request.percent && (named.percent !== undefined || named.amount === request.amount);
}

/** The message that offers a discount to the terminal, with what would be left to pay. */
function offer(payment: Payment, discount: Discount): Effect<"payment"> {
  const { discountId, amount } = discount;
  const { currency, expiresAt } = payment;
  const newTotal = payableAmount(payment) - amount;
  const newVat = vatLeft(payment, [...payment.discounts.filter(isApplied), discount]);
  const message = { type: "discount", discountId, amount, newTotal, newVat, currency } as const;
  return { kind: "message", message, expiresAt };
}

/** The voucher is held for this payment: now its discount is offered to the terminal. */
export const offerVoucher = (payment: Payment, discount: Discount, context: DecisionContext): Change | undefined =>
  advance(payment, {
    ...context,
    event: "voucherReserved",
    by: "platform",
    set: { discounts: replaced(payment, { ...discount, reserved: true, commandId: context.commandId }) },
    effects: [offer(payment, discount)],
  });

/** The voucher is not to be had: the terminal never hears of the discount. */
export const refuseVoucher = (payment: Payment, discount: Discount, context: DecisionContext): Change | undefined =>
  conclude(
    payment,
    { ...discount, status: "refused", statusReason: "voucherUnavailable" },
    { ...context, by: "platform" },
  );

/** What the terminal said of a discount: from then on the payment's total is what it is. */
export const answerDiscount = (
  payment: Payment,
  discount: Discount,
  status: "applied" | "refused",
  context: DecisionContext,
): Change | undefined => conclude(payment, { ...discount, status }, { ...context, by: "terminal" });

function conclude(
  payment: Payment,
  concluded: Discount,
  context: DecisionContext & Pick<Step, "by">,
): Change | undefined {
  const { status } = concluded;
  const discounts = replaced(payment, { ...concluded, updatedAt: context.now });
  return advance(payment, {
    ...context,
    event: status === "applied" ? "discountApplied" : "discountRefused",
    set: { discounts, amounts: { ...payment.amounts, discounted: appliedTotal(discounts) } },
  });
}

const replaced = (payment: Payment, discount: Discount): readonly Discount[] =>
  payment.discounts.map((d) => (d.discountId === discount.discountId ? discount : d));

/**
 * The discounts that an approval of this amount means: it settles the one that the terminal had not answered for; one that was
 * never offered is refused. Undefined when the amount is none that was asked.
 */
export function discountsInApproval(payment: Payment, approved: number, now: Instant): readonly Discount[] | undefined {
  const offered = payment.discounts.find(isOffered);
  const isWhole = approved === payableAmount(payment);
  const isLowered = offered !== undefined && approved === payableAmount(payment) - offered.amount;
  if (!isWhole && !isLowered) return undefined;
  const status = isLowered ? "applied" : "refused";
  return payment.discounts.map((d) => (isOpen(d) ? { ...d, status, updatedAt: now } : d));
}

export const appliedTotal = (discounts: readonly Discount[]): number =>
  discounts.filter(isApplied).reduce((sum, { amount }) => sum + amount, 0);

/** The VAT of the payment as its applied discounts leave it, in minor units. */
export const vatAfterDiscounts = (payment: Payment): number | undefined =>
  vatLeft(payment, payment.discounts.filter(isApplied));

/** Taken off in their order, each discount says what VAT is left, or leaves it in proportion to the total. */
function vatLeft({ amounts }: Payment, discounts: readonly Discount[]): number | undefined {
  let { requested: total, vat } = amounts;
  for (const { amount, vatAfter } of discounts) {
    vat = vatAfter ?? (vat === undefined ? undefined : proportion(vat, total - amount, total));
    total -= amount;
  }
  return vat;
}
