import { releaseToken, type AccessToken } from "../../domain/access-token.ts";
import { voucherFate } from "../../domain/payment/voucher-use.ts";
import type { AccessTokens, StoredToken } from "../../ports/access-tokens.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Codes } from "../../ports/codes.ts";
import type { Payments } from "../../ports/payments.ts";

export interface FindTokenDeps {
  readonly accessTokens: AccessTokens;
  readonly codes: Codes;
}

/**
 * The token whose code somebody typed or scanned at a merchant's terminal. One that is good elsewhere only is not known here;
 * `mistyped` where the code's own check symbol tells.
 */
export async function findToken(
  { accessTokens, codes }: FindTokenDeps,
  typedCode: string,
  merchantId: string,
): Promise<StoredToken | "mistyped" | undefined> {
  const codeKey = codes.keyOf(typedCode);
  if (codeKey === undefined) return "mistyped";
  const stored = await accessTokens.findByCode(codeKey);
  const elsewhere = stored?.token.merchantId !== undefined && stored.token.merchantId !== merchantId;
  return elsewhere ? undefined : stored;
}

export interface CurrentTokenDeps {
  readonly payments: Payments;
  readonly clock: Pick<Clock, "now">;
}

/** The token as it is in truth: held by a payment that came to nothing, it is not held. A release that was lost heals here. */
export async function currentToken({ payments, clock }: CurrentTokenDeps, token: AccessToken): Promise<AccessToken> {
  if (token.status !== "reserved" || !token.use) return token;
  const holder = await payments.find(token.use);
  const held = holder && voucherFate(holder.payment, token.use.discountId) !== "free";
  return held ? token : (releaseToken(token, clock.now()) ?? token);
}
