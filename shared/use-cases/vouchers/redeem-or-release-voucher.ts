import { redeemToken, releaseToken } from "../../domain/access-token.ts";
import type { OfferedVoucher } from "../../domain/effects.ts";
import { isSameUse, voucherFate } from "../../domain/payment/voucher-use.ts";
import type { AccessTokens } from "../../ports/access-tokens.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { Payments } from "../../ports/payments.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

export interface RedeemOrReleaseVoucherDeps {
  readonly payments: Payments;
  readonly accessTokens: AccessTokens;
}

/** Redeems a voucher whose payment was captured with it; releases it after any other end. A repeat changes nothing. */
export async function redeemOrReleaseVoucher(
  deps: RedeemOrReleaseVoucherDeps,
  call: CallContext,
  { partnerId, sessionId }: PaymentKey,
  { tokenId, discountId }: OfferedVoucher,
): Promise<"done"> {
  const use = { partnerId, sessionId, discountId };
  const [found, stored] = await Promise.all([deps.payments.find(use), deps.accessTokens.find(tokenId)]);
  if (!found || !stored) return "done";
  const { token, etag } = stored;
  const fate = voucherFate(found.payment, discountId);
  if (!isSameUse(token.use, use) || fate === "held") return "done";
  const now = call.now();
  const decided = fate === "spent" ? redeemToken(token, now) : releaseToken(token, now);
  if (decided) await deps.accessTokens.save(decided, etag);
  return "done";
}
