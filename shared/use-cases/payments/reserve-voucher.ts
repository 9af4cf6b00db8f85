import { reserveToken } from "../../domain/access-token.ts";
import type { OfferedVoucher } from "../../domain/effects.ts";
import { offerVoucher, refuseVoucher } from "../../domain/payment/requests/discount.ts";
import type { Discount, Payment } from "../../domain/payment/record/payment.ts";
import { isSameUse } from "../../domain/payment/life/voucher-use.ts";
import { ok } from "../../domain/result.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import { currentToken } from "../vouchers/find-token.ts";
import { redeemOrReleaseVoucher, type RedeemOrReleaseVoucherDeps } from "../vouchers/redeem-or-release-voucher.ts";

export interface ReserveVoucherDeps extends AmendPaymentDeps, RedeemOrReleaseVoucherDeps {}

/**
 * Reserves the voucher of a committed discount. Only then commits that the discount is offered to the terminal: the reservation is the
 * fence. If several payments compete for a voucher, one gets it. The discounts of the others are refused, and their terminals never get
 * them.
 */
export async function reserveVoucher(
  deps: ReserveVoucherDeps,
  call: CallContext,
  key: PaymentKey,
  voucher: OfferedVoucher,
): Promise<"done"> {
  const discountOf = ({ discounts }: Payment) => discounts.find((d) => d.discountId === voucher.discountId);
  const awaited = (payment: Payment): Discount | undefined => {
    const discount = discountOf(payment);
    return discount?.status === "requested" && !discount.reserved ? discount : undefined;
  };
  const amended = await amendPayment(deps, call, {
    key,
    async fence(payment, context) {
      const discount = awaited(payment);
      const takesOffers = discount !== undefined && offerVoucher(payment, discount, context) !== undefined;
      return takesOffers ? reserve(deps, call, key, voucher) : undefined; // a payment that is being cancelled takes no more offers
    },
    decide(payment, context, { fenced: isReserved = false }) {
      const discount = awaited(payment);
      if (!discount) return ok("unchanged");
      const conclude = isReserved ? offerVoucher : refuseVoucher;
      return ok(conclude(payment, discount, context) ?? "unchanged");
    },
  });
  const isOver = amended.ok && amended.value.replayed && discountOf(amended.value.payment)?.status !== "requested";
  // A slow copy of this work may have reserved the voucher again after it was released.
  return isOver ? redeemOrReleaseVoucher(deps, call, key, voucher) : "done";
}

/** Reserves the voucher by a conditional write in its own partition. True if this discount has it, also from an earlier try. */
async function reserve(
  deps: ReserveVoucherDeps,
  call: CallContext,
  { partnerId, terminalId, sessionId }: PaymentKey,
  { tokenId, discountId }: OfferedVoucher,
): Promise<boolean> {
  const use = { partnerId, terminalId, sessionId, discountId };
  const stored = await deps.accessTokens.find(tokenId);
  if (!stored) return false;
  if (isSameUse(stored.token.use, use)) return true;
  const now = call.now();
  const reserved = reserveToken(await currentToken(deps, stored.token, now), use, now);
  if (reserved) await deps.accessTokens.save(reserved, stored.etag);
  return reserved !== undefined;
}
