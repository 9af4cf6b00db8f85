import * as z from "zod";
import { tokenKinds, tokenValueRecord, type AccessTokenTemplate } from "./access-token-template.ts";
import type { TokenRequest } from "./landing-page.ts";
import { voucherUseRecord, type VoucherUse } from "./payment/life/voucher-use.ts";
import type { RecordOf } from "./record.ts";
import { after, uncheckedInstant, type Instant } from "./time.ts";

/** The stored states. `expired` is computed, not stored: no worker has to end an idle token. */
const storedTokenStates = ["active", "reserved", "redeemed", "revoked"] as const;
export type StoredTokenState = (typeof storedTokenStates)[number];
export const tokenStates = [...storedTokenStates, "expired"] as const;
export type TokenState = (typeof tokenStates)[number];

/** A customer's voucher or key. The code is not stored: it is derived from the identifier with one of the platform's keys. */
export const accessTokenRecord = z.object({
  tokenId: z.string(),
  kind: z.enum(tokenKinds),
  value: tokenValueRecord.optional(),
  merchantId: z.string().optional(),
  /** As received from the caller of the landing page. */
  productId: z.string(),
  landingPageId: z.string(),
  templateId: z.string(),
  /** The platform's key that made the code. */
  codeKeyId: z.string(),
  /** The keyed hash under which the token is found by its code. */
  codeHash: z.string(),
  status: z.enum(storedTokenStates),
  /** The payment for which a voucher is reserved, or by which it was redeemed. */
  use: voucherUseRecord.optional(),
  validUntil: uncheckedInstant,
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface AccessToken extends RecordOf<typeof accessTokenRecord> {}

type TokenEvent = "reserve" | "release" | "redeem" | "revoke" | "extend";

/**
 * A missing pair is not a transition. Only vouchers are reserved. A reserved voucher cannot be revoked or extended, since a payment relies
 * on it. An expired token is stored as `active`.
 */
const transitions: Record<StoredTokenState, Partial<Record<TokenEvent, StoredTokenState>>> = {
  active: { reserve: "reserved", revoke: "revoked", extend: "active" },
  reserved: { release: "active", redeem: "redeemed" },
  redeemed: {},
  revoked: {},
};

/** The token for a request. Issuing the same request twice gives the same token. */
export const issueToken = (
  template: AccessTokenTemplate,
  request: TokenRequest,
  productId: string,
  code: Pick<AccessToken, "codeKeyId" | "codeHash">,
): AccessToken => ({
  tokenId: request.tokenId,
  kind: template.kind,
  value: template.value,
  merchantId: template.merchantId,
  productId,
  landingPageId: request.landingPageId,
  templateId: template.templateId,
  codeKeyId: code.codeKeyId,
  codeHash: code.codeHash,
  status: "active",
  validUntil: after(request.createdAt, template.validSeconds),
  createdAt: request.createdAt,
  updatedAt: request.createdAt,
});

/** The token's state at this moment. A reserved voucher does not expire while its payment runs. */
export const tokenState = ({ status, validUntil }: AccessToken, now: Instant): TokenState =>
  status === "active" && validUntil <= now ? "expired" : status;

/** The voucher, reserved for one payment so that no other can redeem it. Undefined if it cannot be reserved. */
export function reserveToken(token: AccessToken, use: VoucherUse, now: Instant): AccessToken | undefined {
  if (token.kind !== "voucher" || tokenState(token, now) !== "active") return undefined;
  return moved({ ...token, use }, "reserve", now);
}

/** The voucher, released because its payment did not use it. Undefined if it is not reserved. */
export function releaseToken(token: AccessToken, now: Instant): AccessToken | undefined {
  const released = moved(token, "release", now);
  return released && { ...released, use: undefined };
}

/** The voucher, redeemed permanently. Undefined if it is not reserved. */
export const redeemToken = (token: AccessToken, now: Instant): AccessToken | undefined => moved(token, "redeem", now);

/** The token, revoked by the operator. Undefined if it is reserved, redeemed or already revoked. */
export const revokeToken = (token: AccessToken, now: Instant): AccessToken | undefined => moved(token, "revoke", now);

/**
 * The token, valid until a later moment. Undefined if it is reserved, redeemed or revoked. Also undefined if it is already valid that long,
 * or if the moment has passed.
 */
export const extendToken = (token: AccessToken, validUntil: Instant, now: Instant): AccessToken | undefined =>
  validUntil > token.validUntil && validUntil > now ? moved({ ...token, validUntil }, "extend", now) : undefined;

/**
 * Why a voucher or key is of no use now in this payment, for a cashier to read out to the customer. Undefined if it is active. The sentence
 * says when a voucher was used, but not where: another merchant's sale does not concern the caller. The day is in UTC.
 */
export function whyUnavailable(
  token: AccessToken,
  now: Instant,
  payment: Pick<VoucherUse, "partnerId" | "sessionId"> | undefined,
): string | undefined {
  switch (tokenState(token, now)) {
    case "active":
      return undefined;
    case "reserved":
      return `This ${token.kind} is being used in ${isUsedIn(token, payment) ? "this" : "another"} payment.`;
    case "redeemed":
      return `This ${token.kind} was used on ${spokenDay(token.updatedAt)}.`;
    case "revoked":
      return `This ${token.kind} was revoked on ${spokenDay(token.updatedAt)}.`;
    case "expired":
      return `This ${token.kind} expired on ${spokenDay(token.validUntil)}.`;
  }
}

const isUsedIn = ({ use }: AccessToken, payment: Parameters<typeof whyUnavailable>[2]): boolean =>
  use !== undefined && use.partnerId === payment?.partnerId && use.sessionId === payment.sessionId;

const spokenDay = (at: Instant): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" }).format(
    new Date(at),
  );

function moved(token: AccessToken, event: TokenEvent, now: Instant): AccessToken | undefined {
  const status = transitions[token.status][event];
  return status && { ...token, status, updatedAt: now };
}
