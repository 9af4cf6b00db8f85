import { reserveToken } from "../../domain/access-token.ts";
import { offerVoucher, refuseVoucher } from "../../domain/payment/discount.ts";
import type { OfferedVoucher } from "../../domain/effects.ts";
import type { Timings } from "../../domain/timings.ts";
import { isSameUse } from "../../domain/payment/voucher-use.ts";
import type { NewId } from "../../ports/clock.ts";
import { commitPayment, type CommitPaymentDeps } from "../outbox/commit-payment.ts";
import { currentToken } from "./find-token.ts";
import { redeemOrReleaseVoucher, type RedeemOrReleaseVoucherDeps } from "./redeem-or-release-voucher.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

export interface ReserveVoucherDeps extends CommitPaymentDeps, RedeemOrReleaseVoucherDeps {
  readonly newId: NewId;
  readonly timings: Timings;
}

/**
 * Reserves the voucher of a committed discount, and only then commits that it is offered to the terminal. Of many payments that
 * want one voucher one gets it; the others' discounts are refused, and their terminals never hear of them.
 */
export async function reserveVoucher(
  deps: ReserveVoucherDeps,
  key: PaymentKey,
  voucher: OfferedVoucher,
): Promise<"done"> {
  const stored = await deps.payments.find(key);
  if (!stored) return "done";
  const { payment, etag } = stored;
  const discount = payment.discounts.find((d) => d.discountId === voucher.discountId);
  // First whether it is over: a slow copy of this may have reserved the voucher anew after it was given back.
  if (discount?.status !== "requested") return redeemOrReleaseVoucher(deps, key, voucher);
  if (discount.reserved) return "done"; // another copy of the announcement did it
  const commandId = deps.newId();
  const context = { now: deps.clock.now(), commandId, timings: deps.timings };
  const offered = offerVoucher(payment, discount, context); // a payment that is being cancelled takes no more offers
  const reserved = offered !== undefined && (await reserve(deps, key, voucher));
  const change = reserved ? offered : refuseVoucher(payment, discount, context);
  if (change) await commitPayment(deps, { change, etag, commandId });
  return "done";
}

/** Takes the voucher by comparing and setting in its own partition; true when this discount has it, also from an earlier try. */
async function reserve(
  deps: ReserveVoucherDeps,
  { partnerId, sessionId }: PaymentKey,
  { tokenId, discountId }: OfferedVoucher,
): Promise<boolean> {
  const use = { partnerId, sessionId, discountId };
  const stored = await deps.accessTokens.find(tokenId);
  if (!stored) return false;
  if (isSameUse(stored.token.use, use)) return true;
  const reserved = reserveToken(await currentToken(deps, stored.token), use, deps.clock.now());
  if (reserved) await deps.accessTokens.save(reserved, stored.etag);
  return reserved !== undefined;
}
