import { redeemToken, releaseToken, reserveToken } from "../../domain/access-token.ts";
import type { OfferedVoucher } from "../../domain/effects.ts";
import { isSameUse, voucherFate } from "../../domain/payment/life/voucher-use.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { Needs } from "../needs.ts";

export type RedeemOrReleaseVoucherDeps = Needs<"accessTokens" | "payments">;

/**
 * Redeems a voucher whose payment was captured with it. Releases it after any other end. A repeat changes nothing. After a restore, a
 * voucher that paid may be free again. It is then redeemed, unless another payment has reserved it.
 */
export async function redeemOrReleaseVoucher(
  deps: RedeemOrReleaseVoucherDeps,
  call: CallContext,
  { partnerId, terminalId, sessionId }: PaymentKey,
  { tokenId, discountId }: OfferedVoucher,
): Promise<"done"> {
  const use = { partnerId, terminalId, sessionId, discountId };
  const [found, stored] = await Promise.all([deps.payments.find(use), deps.accessTokens.find(tokenId)]);
  if (!found || !stored) return "done";
  const { token, etag } = stored;
  const fate = voucherFate(found.payment, discountId);
  const now = call.now();
  const reserved = isSameUse(token.use, use) ? token : fate === "spent" ? reserveToken(token, use, now) : undefined;
  if (!reserved || fate === "held") return "done";
  const decided = fate === "spent" ? redeemToken(reserved, now) : releaseToken(reserved, now);
  if (decided) await deps.accessTokens.save(decided, etag);
  return "done";
}
