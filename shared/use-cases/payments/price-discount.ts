import { whyUnavailable, type AccessToken } from "../../domain/access-token.ts";
import {
  plainReduction,
  voucherReduction,
  withVatAfter,
  type Reduction,
} from "../../domain/payment/requests/reduction.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { refuse, type Result } from "../../domain/result.ts";
import type { Instant } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import {
  currentToken,
  isValidAt,
  tokenOfCode,
  type CurrentTokenDeps,
  type FindTokenDeps,
} from "../vouchers/find-token.ts";

/** The reduction as the partner requests it: exactly one of amount, percent and voucher. */
export interface ReductionInput {
  /** In the currency's major unit. */
  readonly discountAmount?: number | undefined;
  readonly discountPercent?: number | undefined;
  readonly voucherCode?: string | undefined;
  readonly totalVatAmount?: number | undefined;
}

/** The token of a request's code in its present state; `mistyped` if the text is not a code, undefined if no token has it. */
export type FoundVoucher = AccessToken | "mistyped" | undefined;

type PriceRefusal = "validation_failed" | "voucher_not_found" | "voucher_unavailable" | "currency_mismatch";

/** Reads the voucher of a code, if the request has one. A reservation whose payment ended without it counts as released. */
export async function readVoucher(
  deps: FindTokenDeps & CurrentTokenDeps,
  { now }: CallContext,
  code: string | undefined,
): Promise<FoundVoucher> {
  const found = code === undefined ? undefined : await tokenOfCode(deps, code);
  return found === undefined || found === "mistyped" ? found : currentToken(deps, found.token, now());
}

/** The reduction in the payment's minor units, with the remaining VAT if the caller states it. */
export function priceDiscount(
  payment: Payment,
  input: ReductionInput,
  voucher: FoundVoucher,
): Result<Reduction, Refusal<PriceRefusal>> {
  const { voucherCode, totalVatAmount } = input;
  const reduction = voucherCode === undefined ? plainReduction(payment, input) : voucherValue(payment, voucher);
  return reduction.ok ? withVatAfter(payment, reduction.value, totalVatAmount) : reduction;
}

function voucherValue(payment: Payment, voucher: FoundVoucher): Result<Reduction, Refusal<PriceRefusal>> {
  if (voucher === "mistyped") return refuse(invalidField("voucherCode", "invalid", "is not a code, or was mistyped"));
  const isVoucher = voucher?.kind === "voucher" && isValidAt(voucher, payment.merchantId);
  return isVoucher ? voucherReduction(payment, voucher) : refuse({ code: "voucher_not_found" });
}

/**
 * Why a voucher cannot be redeemed by the payment now; undefined if it can. This check only refuses early. The worker that reserves the voucher decides.
 */
export function voucherTrouble(
  voucher: FoundVoucher,
  payment: Payment,
  now: Instant,
): Refusal<"voucher_unavailable"> | undefined {
  const detail = voucher === undefined || voucher === "mistyped" ? undefined : whyUnavailable(voucher, now, payment);
  return detail === undefined ? undefined : { code: "voucher_unavailable", detail };
}
