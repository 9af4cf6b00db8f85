import { whyUnavailable } from "../../domain/access-token.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import {
  plainReduction,
  voucherReduction,
  withVatAfter,
  type Reduction,
} from "../../domain/payment/requests/reduction.ts";
import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { refuse, type Result } from "../../domain/result.ts";
import type { CallContext } from "../../ports/clock.ts";
import { currentToken, findToken, type CurrentTokenDeps, type FindTokenDeps } from "../vouchers/find-token.ts";

/** The reduction as the partner requests it: exactly one of amount, percent and voucher. */
export interface ReductionInput {
  /** In the currency's major unit. */
  readonly discountAmount?: number | undefined;
  readonly discountPercent?: number | undefined;
  readonly voucherCode?: string | undefined;
  readonly totalVatAmount?: number | undefined;
}

type PriceRefusal = "validation_failed" | "voucher_not_found" | "voucher_unavailable" | "currency_mismatch";

/** The reduction in the payment's minor units, with the VAT that is left where the caller states it. */
export async function priceDiscount(
  deps: FindTokenDeps,
  payment: Payment,
  input: ReductionInput,
): Promise<Result<Reduction, Refusal<PriceRefusal>>> {
  const { voucherCode, totalVatAmount } = input;
  const reduction =
    voucherCode === undefined ? plainReduction(payment, input) : await voucherValue(deps, payment, voucherCode);
  return reduction.ok ? withVatAfter(payment, reduction.value, totalVatAmount) : reduction;
}

async function voucherValue(
  deps: FindTokenDeps,
  payment: Payment,
  code: string,
): Promise<Result<Reduction, Refusal<PriceRefusal>>> {
  const found = await findToken(deps, code, payment.merchantId);
  if (found === "mistyped") return refuse(invalidField("voucherCode", "invalid", "is not a code, or was mistyped"));
  if (found?.token.kind !== "voucher") return refuse({ code: "voucher_not_found" });
  return voucherReduction(payment, found.token);
}

/**
 * Why a voucher cannot be redeemed now; undefined where it can. This check only refuses early; the worker that reserves the voucher
 * decides.
 */
export async function voucherTrouble(
  deps: FindTokenDeps & CurrentTokenDeps,
  { now }: CallContext,
  tokenId: string | undefined,
): Promise<Refusal<"voucher_unavailable"> | undefined> {
  const stored = tokenId === undefined ? undefined : await deps.accessTokens.find(tokenId);
  if (!stored) return undefined;
  const detail = whyUnavailable(await currentToken(deps, stored.token, now()), now());
  return detail === undefined ? undefined : { code: "voucher_unavailable", detail };
}
