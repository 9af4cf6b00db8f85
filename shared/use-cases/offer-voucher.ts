import { reserveToken } from "../domain/access-token.ts";
import { offerVoucher as offer, refuseVoucher } from "../domain/discount.ts";
import type { OfferedVoucher } from "../domain/effects.ts";
import type { Timings } from "../domain/timings.ts";
import { isSameUse } from "../domain/voucher-use.ts";
import type { NewId } from "../ports/clock.ts";
import { commitChange, type Committing } from "./commit-change.ts";
import { seenTruly } from "./find-token.ts";
import { settleVoucher, type SettleVoucher } from "./settle-voucher.ts";
import type { PaymentKey } from "../ports/subjects.ts";

export interface OfferVoucher extends Committing, SettleVoucher {
  readonly newId: NewId;
  readonly timings: Timings;
}

/**
 * Reserves the voucher of a committed discount, and only then commits that it is offered to the terminal. Of many payments that
 * want one voucher one gets it; the others' discounts are refused, and their terminals never hear of them.
 */
export async function offerVoucher(deps: OfferVoucher, key: PaymentKey, voucher: OfferedVoucher): Promise<"done"> {
  const stored = await deps.payments.find(key);
  if (!stored || stored === "fence") return "done";
  const { payment, etag } = stored;
  const discount = payment.discounts.find((d) => d.discountId === voucher.discountId);
  // First whether it is over: a slow copy of this may have reserved the voucher anew after it was given back.
  if (discount?.status !== "requested") return settleVoucher(deps, key, voucher);
  if (discount.reserved) return "done"; // another copy of the announcement did it
  const commandId = deps.newId();
  const context = { now: deps.clock.now(), commandId, timings: deps.timings };
  const offered = offer(payment, discount, context); // a payment that is being cancelled takes no more offers
  const reserved = offered !== undefined && (await reserve(deps, key, voucher));
  const change = reserved ? offered : refuseVoucher(payment, discount, context);
  if (change) await commitChange(deps, { change, etag, commandId });
  return "done";
}

/** Takes the voucher by comparing and setting in its own partition; true when this discount has it, also from an earlier try. */
async function reserve(
  deps: OfferVoucher,
  { partnerId, sessionId }: PaymentKey,
  { tokenId, discountId }: OfferedVoucher,
): Promise<boolean> {
  const use = { partnerId, sessionId, discountId };
  const stored = await deps.accessTokens.find(tokenId);
  if (!stored) return false;
  if (isSameUse(stored.token.use, use)) return true;
  const reserved = reserveToken(await seenTruly(deps, stored.token), use, deps.clock.now());
  if (reserved) await deps.accessTokens.save(reserved, stored.etag);
  return reserved !== undefined;
}
