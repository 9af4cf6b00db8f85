import { reserveToken } from "../../domain/access-token.ts";
import { isSameUse } from "../../domain/payment/life/voucher-use.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Instant } from "../../domain/time.ts";
import type { Needs } from "../needs.ts";
import { currentToken } from "../vouchers/find-token.ts";

export type UnredeemableVouchersDeps = Needs<"accessTokens" | "payments">;

/** The vouchers of a payment's discounts that cannot be redeemed for it: another payment has them, or their time is over. */
export async function unredeemableVouchers(
  deps: UnredeemableVouchersDeps,
  { partnerId, terminalId, sessionId, discounts }: Payment,
  now: Instant,
): Promise<ReadonlySet<string>> {
  const found = discounts.map(async ({ voucherTokenId: tokenId, discountId }) => {
    const stored = tokenId === undefined ? undefined : await deps.accessTokens.find(tokenId);
    const use = { partnerId, terminalId, sessionId, discountId };
    if (tokenId === undefined || isSameUse(stored?.token.use, use)) return [];
    const isFree = stored && reserveToken(await currentToken(deps, stored.token, now), use, now);
    return isFree ? [] : [tokenId];
  });
  return new Set((await Promise.all(found)).flat());
}
