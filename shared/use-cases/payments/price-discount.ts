import type { AccessToken } from "../../domain/access-token.ts";
import { tokenState } from "../../domain/access-token.ts";
import { percentOf, type DiscountRequest } from "../../domain/payment/discount.ts";
import { toMinorUnits } from "../../domain/money.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { findToken, currentToken, type FindTokenDeps, type CurrentTokenDeps } from "../vouchers/find-token.ts";

/** What a partner asks to take off: exactly one of amount, percent and voucher. */
export interface ReductionInput {
  /** In the currency's major unit. */
  readonly discountAmount?: number | undefined;
  readonly discountPercent?: number | undefined;
  readonly voucherCode?: string | undefined;
  readonly totalVatAmount?: number | undefined;
}

type Reduction = Pick<DiscountRequest, "amount" | "percent" | "vatAfter" | "voucherTokenId">;

/** What is asked for in the payment's own minor units, and the VAT that is left where the caller says so. */
export async function priceDiscount(
  deps: FindTokenDeps,
  payment: Payment,
  asked: ReductionInput,
): Promise<Result<Reduction, Refusal>> {
  const reduction =
    asked.voucherCode === undefined ? plain(payment, asked) : await voucher(deps, payment, asked.voucherCode);
  if (!reduction.ok || asked.totalVatAmount === undefined) return reduction;
  const vat = toMinorUnits(asked.totalVatAmount, payment.currency);
  return vat.ok ? ok({ ...reduction.value, vatAfter: vat.value }) : wrong(payment, "totalVatAmount");
}

/**
 * Why a voucher cannot be spent now; undefined where it can. Looked at out of courtesy: the worker that reserves it decides.
 */
export async function voucherTrouble(
  deps: FindTokenDeps & CurrentTokenDeps,
  tokenId: string | undefined,
): Promise<Refusal | undefined> {
  const stored = tokenId === undefined ? undefined : await deps.accessTokens.find(tokenId);
  if (!stored) return undefined;
  const state = tokenState(await currentToken(deps, stored.token), deps.clock.now());
  return state === "active" ? undefined : { code: "voucher_unavailable", detail: `The voucher is ${state}.` };
}

function plain(payment: Payment, { discountAmount, discountPercent: percent }: ReductionInput) {
  if (percent !== undefined) return ok({ amount: percentOf(payment, percent), percent });
  const amount = toMinorUnits(discountAmount ?? 0, payment.currency);
  return amount.ok ? ok({ amount: amount.value }) : wrong(payment, "discountAmount");
}

async function voucher(deps: FindTokenDeps, payment: Payment, code: string): Promise<Result<Reduction, Refusal>> {
  const found = await findToken(deps, code, payment.merchantId);
  if (found === "mistyped") {
    const message = "is not a code, or was mistyped";
    return refuse({ code: "validation_failed", errors: [{ field: "voucherCode", code: "custom", message }] });
  }
  if (found?.token.kind !== "voucher") return refuse({ code: "voucher_not_found" });
  return voucherValue(payment, found.token);
}

function voucherValue(payment: Payment, { tokenId, value }: AccessToken): Result<Reduction, Refusal> {
  const voucherTokenId = tokenId;
  if (!value) {
    return refuse({ code: "voucher_unavailable", detail: "The voucher is for its product and takes nothing off." });
  }
  if (value.kind === "percent") {
    return ok({ amount: percentOf(payment, value.percent), percent: value.percent, voucherTokenId });
  }
  return value.currency === payment.currency
    ? ok({ amount: value.amount, voucherTokenId })
    : refuse({ code: "currency_mismatch", detail: "The voucher is in another currency." });
}

const wrong = ({ currency }: Payment, field: string) =>
  refuse({
    code: "validation_failed" as const,
    errors: [{ field, code: "custom", message: `must be an amount of ${currency}` }],
  });
