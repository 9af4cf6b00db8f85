import { advance, type Change, type Step } from "./advance.ts";
import { proportion } from "./money.ts";
import { mailing, payableAmount, type Payment } from "./payment.ts";
import type { Refusal } from "./refusal.ts";
import { ok, refuse, type Result } from "./result.ts";
import type { Instant } from "./time.ts";

export type DiscountState = "requested" | "applied" | "refused";

/** A reduction offered to a running payment; it counts only once the terminal says that it applied it. */
export interface Discount {
  readonly discountId: string;
  /** Integer minor units. */
  readonly amount: number;
  /** The VAT of the payment once this discount is applied, where the caller gave it; otherwise VAT shrinks in proportion. */
  readonly vatAfter?: number | undefined;
  readonly percent?: number | undefined;
  readonly voucherTokenId?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: DiscountState;
  readonly commandId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface DiscountRequest {
  readonly discountId: string;
  /** Integer minor units of the payment's currency. */
  readonly amount: number;
  readonly percent?: number | undefined;
  readonly vatAfter?: number | undefined;
  readonly reason?: string | undefined;
}

/** So many discounts a payment can have; each is kept with it. */
const MOST_DISCOUNTS = 20;

type Context = Omit<Step, "event" | "by" | "set" | "effects">;

const isOpen = (discount: Discount): boolean => discount.status === "requested";
const sumOf = (discounts: readonly Discount[]): number => discounts.reduce((sum, d) => sum + d.amount, 0);

/** Percent of what is still to pay, in minor units rounded half up. `percent` has at most two decimals. */
export const percentOf = (payment: Payment, percent: number): number =>
  proportion(payableAmount(payment), Math.round(percent * 100), 10_000);

/**
 * Offers a discount to the terminal, or finds that the request repeats one. Only while the payment runs and the terminal has not
 * locked its amount; the total stays above zero, whichever of the open discounts the terminal applies.
 */
export function requestDiscount(
  payment: Payment,
  request: DiscountRequest,
  context: Context,
): Result<Change | "replay", Refusal> {
  const { discountId, amount, percent, vatAfter, reason } = request;
  const { status: currentStatus, discounts, currency } = payment;
  const named = discounts.find((d) => d.discountId === discountId);
  if (named) {
    const same = named.percent === percent && (percent !== undefined || named.amount === amount);
    return same ? ok("replay") : refuse({ code: "idempotency_mismatch" });
  }
  if (payment.amountLocked) {
    return refuse({ code: "invalid_state", currentStatus, detail: "The terminal has locked the amount." });
  }
  const newTotal = payableAmount(payment) - sumOf(discounts.filter(isOpen)) - amount;
  if (amount <= 0 || newTotal <= 0) {
    const message = "must leave a total above zero";
    return refuse({ code: "validation_failed", errors: [{ field: "discountAmount", code: "out_of_range", message }] });
  }
  if (discounts.length >= MOST_DISCOUNTS) {
    return refuse({
      code: "invalid_state",
      currentStatus,
      detail: `A payment has at most ${MOST_DISCOUNTS} discounts.`,
    });
  }
  const { now, commandId } = context;
  const times = { createdAt: now, updatedAt: now };
  const discount: Discount = {
    discountId,
    amount,
    percent,
    vatAfter,
    reason,
    status: "requested",
    commandId,
    ...times,
  };
  const next = { ...payment, sequence: payment.sequence + 1 };
  const { requested, vat } = payment.amounts;
  const newVat = vatAfter ?? (vat === undefined ? undefined : proportion(vat, newTotal, requested));
  const message = { type: "discount", discountId, amount, newTotal, newVat, currency } as const;
  const change = advance(payment, {
    ...context,
    event: "discount",
    by: "partner",
    set: { discounts: [...discounts, discount] },
    effects: [{ kind: "message", mailing: { ...mailing(next, message), expiresAt: payment.expiresAt } }],
  });
  return change ? ok(change) : refuse({ code: "invalid_state", currentStatus });
}

/** What the terminal said of a discount: from then on the payment's total is what it is. */
export function answerDiscount(
  payment: Payment,
  discount: Discount,
  status: "applied" | "refused",
  context: Context,
): Change | undefined {
  const { discountId: about } = discount;
  const discounts = payment.discounts.map((d) =>
    d.discountId === about ? { ...d, status, updatedAt: context.now } : d,
  );
  return advance(payment, {
    ...context,
    event: status === "applied" ? "discountApplied" : "discountRefused",
    by: "terminal",
    set: { discounts, amounts: { ...payment.amounts, discounted: appliedTotal(discounts) } },
    effects: [{ kind: "webhook", type: `discount.${status}`, about }],
  });
}

/**
 * The discounts that an approval of this amount means: it settles those that the terminal had not answered for, in the order
 * they were offered. Undefined when the amount is none that was asked.
 */
export function discountsInApproval(payment: Payment, approved: number, now: Instant): readonly Discount[] | undefined {
  const open = payment.discounts.filter(isOpen);
  const applied = [0, ...open.map((_, i) => i + 1)].find(
    (count) => payableAmount(payment) - sumOf(open.slice(0, count)) === approved,
  );
  if (applied === undefined) return undefined;
  const taken = new Set(open.slice(0, applied));
  return payment.discounts.map((d) =>
    isOpen(d) ? { ...d, status: taken.has(d) ? "applied" : "refused", updatedAt: now } : d,
  );
}

export const appliedTotal = (discounts: readonly Discount[]): number =>
  sumOf(discounts.filter((d) => d.status === "applied"));
