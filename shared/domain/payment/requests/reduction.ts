import type { AccessToken } from "../../access-token.ts";
import { inCurrency, invalidAmount } from "../../amount-problem.ts";
import { proportion, toMinorUnits } from "../../money.ts";
import type { Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
import { payableAmount, type Payment } from "../record/payment.ts";

/** The amount that a discount takes off a payment, in minor units, and its source. */
export interface Reduction {
  readonly amount: number;
  readonly percent?: number | undefined;
  /** The VAT that is left, in minor units, if the caller gives it. */
  readonly vatAfter?: number | undefined;
  readonly voucherTokenId?: string | undefined;
}

/** A percentage of the amount that is still to pay, in minor units rounded half up. `percent` has at most two decimals. */
export const percentOf = (payment: Payment, percent: number): number =>
  proportion(payableAmount(payment), Math.round(percent * 100), 10_000);

/** The reduction by an amount in the currency's major unit, or by a percentage. */
export function plainReduction(
  payment: Payment,
  {
    discountAmount,
    discountPercent: percent,
  }: { readonly discountAmount?: number | undefined; readonly discountPercent?: number | undefined },
): Result<Reduction, Refusal<"validation_failed">> {
  if (percent !== undefined) return ok({ amount: percentOf(payment, percent), percent });
  const amount = toMinorUnits(discountAmount ?? 0, payment.currency);
  return amount.ok
    ? ok({ amount: amount.value })
    : refuse(invalidAmount("discountAmount", amount.error, payment.currency));
}

/** The reduction by a voucher. A voucher without a value is valid for its product only, and is refused. */
export function voucherReduction(
  payment: Payment,
  { tokenId: voucherTokenId, value }: AccessToken,
): Result<Reduction, Refusal<"voucher_unavailable" | "currency_mismatch">> {
  if (!value) {
    return refuse({
      code: "voucher_unavailable",
      detail: "This voucher is for a product, and cannot be used as a discount.",
    });
  }
  if (value.kind === "percent") {
    return ok({ amount: percentOf(payment, value.percent), percent: value.percent, voucherTokenId });
  }
  return value.currency === payment.currency
    ? ok({ amount: value.amount, voucherTokenId })
    : refuse({
        code: "currency_mismatch",
        detail: `The voucher is in ${value.currency}. ${inCurrency(payment.currency)}`,
      });
}

/** The reduction with the VAT that the caller states as left, in the currency's major unit. */
export function withVatAfter(
  payment: Payment,
  reduction: Reduction,
  totalVatAmount: number | undefined,
): Result<Reduction, Refusal<"validation_failed">> {
  if (totalVatAmount === undefined) return ok(reduction);
  const vat = toMinorUnits(totalVatAmount, payment.currency);
  return vat.ok
    ? ok({ ...reduction, vatAfter: vat.value })
    : refuse(invalidAmount("totalVatAmount", vat.error, payment.currency));
}
