import { reserveToken } from "../../domain/access-token.ts";
import type { OfferedVoucher } from "../../domain/effects.ts";
import { offerVoucher, refuseVoucher } from "../../domain/payment/requests/discount.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { isSameUse } from "../../domain/payment/life/voucher-use.ts";
import { ok } from "../../domain/result.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import { currentToken } from "../vouchers/find-token.ts";
import { redeemOrReleaseVoucher, type RedeemOrReleaseVoucherDeps } from "../vouchers/redeem-or-release-voucher.ts";

export interface ReserveVoucherDeps extends AmendPaymentDeps, RedeemOrReleaseVoucherDeps {}

/**
 * Reserves the voucher of a committed discount, and only then commits that it is offered to the terminal. Of several payments that compete
 * for a voucher one gets it; the discounts of the others are refused, and their terminals never get them.
 */
export async function reserveVoucher(
  deps: ReserveVoucherDeps,
  call: CallContext,
  key: PaymentKey,
  voucher: OfferedVoucher,
): Promise<"done"> {
  const discountOf = ({ discounts }: Payment) => discounts.find((d) => d.discountId === voucher.discountId);
  const amended = await amendPayment(deps, call, {
    key,
    async decide(payment, context) {
      const discount = discountOf(payment);
      if (discount?.status !== "requested" || discount.reserved) return ok("unchanged");
      const offered = offerVoucher(payment, discount, context); // undefined where the payment is being cancelled and takes no more offers
      const isReserved = offered !== undefined && (await reserve(deps, call, key, voucher));
      return ok((isReserved ? offered : refuseVoucher(payment, discount, context)) ?? "unchanged");
    },
  });
  const isOver = amended.ok && amended.value.replayed && discountOf(amended.value.payment)?.status !== "requested";
  // A slow copy of this work may have reserved the voucher again after it was released.
  return isOver ? redeemOrReleaseVoucher(deps, call, key, voucher) : "done";
}

/** Reserves the voucher by a conditional write in its own partition. True when this discount has it, also from an earlier try. */
async function reserve(
  deps: ReserveVoucherDeps,
  call: CallContext,
  { partnerId, sessionId }: PaymentKey,
  { tokenId, discountId }: OfferedVoucher,
): Promise<boolean> {
  const use = { partnerId, sessionId, discountId };
  const stored = await deps.accessTokens.find(tokenId);
  if (!stored) return false;
  if (isSameUse(stored.token.use, use)) return true;
  const now = call.now();
  const reserved = reserveToken(await currentToken(deps, stored.token, now), use, now);
  if (reserved) await deps.accessTokens.save(reserved, stored.etag);
  return reserved !== undefined;
}
