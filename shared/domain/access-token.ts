import { z } from "zod";
import { tokenKinds, tokenValueRecord, type AccessTokenTemplate } from "./access-token-template.ts";
import type { TokenRequest } from "./landing-page.ts";
import { voucherUseRecord, type VoucherUse } from "./payment/voucher-use.ts";
import type { RecordOf } from "./record.ts";
import { after, uncheckedInstant, type Instant } from "./time.ts";

/** What is stored; `expired` is seen, not stored: an idle token needs nobody to end it. */
const storedTokenStates = ["active", "reserved", "redeemed", "revoked"] as const;
export type StoredTokenState = (typeof storedTokenStates)[number];
export const tokenStates = [...storedTokenStates, "expired"] as const;
export type TokenState = (typeof tokenStates)[number];

/** A customer's voucher or key. Its code is not here: it follows from the identifier, under the platform's key. */
export const accessTokenRecord = z.object({
  tokenId: z.string(),
  kind: z.enum(tokenKinds),
  value: tokenValueRecord.optional(),
  merchantId: z.string().optional(),
  /** As the landing page's caller spells them. */
  productId: z.string(),
  landingPageId: z.string(),
  templateId: z.string(),
  status: z.enum(storedTokenStates),
  /** The payment that a voucher is reserved for, or was redeemed by. */
  use: voucherUseRecord.optional(),
  validUntil: uncheckedInstant,
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface AccessToken extends RecordOf<typeof accessTokenRecord> {}

type TokenEvent = "reserve" | "release" | "redeem" | "revoke";

/** A pair that is absent is no transition. Only vouchers are reserved; a reserved one is not taken away under a payment. */
const transitions: Record<StoredTokenState, Partial<Record<TokenEvent, StoredTokenState>>> = {
  active: { reserve: "reserved", revoke: "revoked" },
  reserved: { release: "active", redeem: "redeemed" },
  redeemed: {},
  revoked: {},
};

/** The token that a request for one is given. Issuing twice gives the same. */
export const issueToken = (template: AccessTokenTemplate, request: TokenRequest, productId: string): AccessToken => ({
  tokenId: request.tokenId,
  kind: template.kind,
  value: template.value,
  merchantId: template.merchantId,
  productId,
  landingPageId: request.landingPageId,
  templateId: template.templateId,
  status: "active",
  validUntil: after(request.createdAt, template.validSeconds),
  createdAt: request.createdAt,
  updatedAt: request.createdAt,
});

/** How the token stands. A reserved voucher does not expire under the customer's hands. */
export const tokenState = ({ status, validUntil }: AccessToken, now: Instant): TokenState =>
  status === "active" && validUntil <= now ? "expired" : status;

/** The voucher held for one payment, so that no other can spend it; undefined where it is not to be had. */
export function reserveToken(token: AccessToken, use: VoucherUse, now: Instant): AccessToken | undefined {
  if (token.kind !== "voucher" || tokenState(token, now) !== "active") return undefined;
  return moved({ ...token, use }, "reserve", now);
}

/** The voucher given back: the payment that held it came to nothing, or did not take it. */
export function releaseToken(token: AccessToken, now: Instant): AccessToken | undefined {
  const released = moved(token, "release", now);
  return released && { ...released, use: undefined };
}

/** The voucher spent, for good. */
export const redeemToken = (token: AccessToken, now: Instant): AccessToken | undefined => moved(token, "redeem", now);

/** The token taken away by the operator; undefined while a payment holds it, and once it is spent. */
export const revokeToken = (token: AccessToken, now: Instant): AccessToken | undefined => moved(token, "revoke", now);

function moved(token: AccessToken, event: TokenEvent, now: Instant): AccessToken | undefined {
  const status = transitions[token.status][event];
  return status && { ...token, status, updatedAt: now };
}
