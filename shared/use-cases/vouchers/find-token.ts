import { releaseToken, type AccessToken } from "../../domain/access-token.ts";
import { voucherFate } from "../../domain/payment/life/voucher-use.ts";
import type { Instant } from "../../domain/time.ts";
import type { AccessTokens, StoredToken } from "../../stores/access-tokens.ts";
import type { Needs } from "../needs.ts";

export type FindTokenDeps = Needs<"accessTokens" | "codes">;

/**
 * The token of a code that was typed or scanned at a merchant's terminal. Undefined if no token has this code, or if the token is valid
 * only at another merchant's terminals. Returns `mistyped` if the code is malformed or its check symbol is wrong.
 */
export async function findToken(
  deps: FindTokenDeps,
  typedCode: string,
  merchantId: string,
): Promise<StoredToken | "mistyped" | undefined> {
  const found = await tokenOfCode(deps, typedCode);
  return found === undefined || found === "mistyped" || isValidAt(found.token, merchantId) ? found : undefined;
}

/** The token of a code, at any merchant. */
export async function tokenOfCode(
  { accessTokens, codes }: FindTokenDeps,
  typedCode: string,
): Promise<StoredToken | "mistyped" | undefined> {
  const hashes = codes.hashesOf(typedCode);
  return hashes === undefined ? "mistyped" : firstFound(accessTokens, hashes);
}

/** Whether a token is valid at a merchant's terminals. A token without a merchant is valid at all terminals of its partner. */
export const isValidAt = (token: AccessToken, merchantId: string): boolean =>
  token.merchantId === undefined || token.merchantId === merchantId;

/** Looks the hashes up one after the other, so that a code of the first key costs one lookup. */
async function firstFound(accessTokens: AccessTokens, hashes: readonly string[]): Promise<StoredToken | undefined> {
  for (const hash of hashes) {
    const stored = await accessTokens.findByCode(hash);
    if (stored) return stored;
  }
  return undefined;
}

export type CurrentTokenDeps = Needs<"payments">;

/** Read repair: a reservation whose payment ended without using the voucher counts as released, even if the release effect was lost. */
export async function currentToken(
  { payments }: CurrentTokenDeps,
  token: AccessToken,
  now: Instant,
): Promise<AccessToken> {
  if (token.status !== "reserved" || !token.use) return token;
  const holder = await payments.find(token.use);
  const isHeld = holder && voucherFate(holder.payment, token.use.discountId) !== "free";
  return isHeld ? token : (releaseToken(token, now) ?? token);
}
