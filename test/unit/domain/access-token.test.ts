import { describe, expect, it } from "vitest";
import {
  extendToken,
  redeemToken,
  releaseToken,
  reserveToken,
  revokeToken,
  tokenState,
  whyUnavailable,
  type AccessToken,
  type StoredTokenState,
} from "../../../shared/domain/access-token.ts";

const now = "2026-11-21T10:00:00.000Z";
const use = { partnerId: "p", terminalId: "t", sessionId: "s", discountId: "d" };
const aToken = (status: StoredTokenState, more: Partial<AccessToken> = {}): AccessToken => ({
  tokenId: "t",
  kind: "voucher",
  productId: "product",
  landingPageId: "page",
  templateId: "template",
  codeKeyId: "k1",
  codeHash: "00ff",
  status,
  use: status === "reserved" || status === "redeemed" ? use : undefined,
  validUntil: "2026-11-22T10:00:00.000Z",
  createdAt: now,
  updatedAt: now,
  ...more,
});

const acts = {
  reserve: (token: AccessToken) => reserveToken(token, use, now),
  release: (token: AccessToken) => releaseToken(token, now),
  redeem: (token: AccessToken) => redeemToken(token, now),
  revoke: (token: AccessToken) => revokeToken(token, now),
  extend: (token: AccessToken) => extendToken(token, "2026-12-22T10:00:00.000Z", now),
};

describe("a voucher", () => {
  it.each([
    ["active", "reserve", "reserved"],
    ["active", "release", undefined],
    ["active", "redeem", undefined],
    ["active", "revoke", "revoked"],
    ["reserved", "reserve", undefined],
    ["reserved", "release", "active"],
    ["reserved", "redeem", "redeemed"],
    ["reserved", "revoke", undefined],
    ["redeemed", "reserve", undefined],
    ["redeemed", "release", undefined],
    ["redeemed", "redeem", undefined],
    ["redeemed", "revoke", undefined],
    ["revoked", "reserve", undefined],
    ["revoked", "release", undefined],
    ["revoked", "redeem", undefined],
    ["revoked", "revoke", undefined],
    ["active", "extend", "active"],
    ["reserved", "extend", undefined],
    ["redeemed", "extend", undefined],
    ["revoked", "extend", undefined],
  ] as const)("that is %s becomes, on %s: %s", (status, act, then) => {
    expect(acts[act](aToken(status))?.status).toBe(then);
  });

  it("belongs to the payment that reserved it until it is released, and permanently once it is redeemed", () => {
    const reserved = reserveToken(aToken("active"), use, now);
    expect(reserved?.use).toEqual(use);
    expect(reserved && redeemToken(reserved, now)?.use).toEqual(use);
    expect(reserved && releaseToken(reserved, now)?.use).toBeUndefined();
  });

  it("expires at its time and cannot be reserved then, unless it is reserved already", () => {
    const past = { validUntil: now };
    expect(tokenState(aToken("active", past), now)).toBe("expired");
    expect(reserveToken(aToken("active", past), use, now)).toBeUndefined();
    expect(tokenState(aToken("reserved", past), now)).toBe("reserved");
    expect(redeemToken(aToken("reserved", past), now)?.status).toBe("redeemed");
    expect(tokenState(aToken("active"), now)).toBe("active");
  });
});

describe("an extended token", () => {
  it.each([
    ["was active", "2026-11-22T10:00:00.000Z"],
    ["had expired", "2026-11-20T10:00:00.000Z"],
  ])("is valid until its new end if it %s", (_, validUntil) => {
    const extended = extendToken(aToken("active", { validUntil }), "2026-11-23T10:00:00.000Z", now);
    expect(extended).toMatchObject({ validUntil: "2026-11-23T10:00:00.000Z", updatedAt: now });
    expect(extended && tokenState(extended, "2026-11-23T09:59:59.999Z")).toBe("active");
    expect(extended && tokenState(extended, "2026-11-23T10:00:00.000Z")).toBe("expired");
  });

  it.each([
    ["is no later than its present one", "2026-11-22T10:00:00.000Z", "2026-11-22T10:00:00.000Z"],
    ["has passed", "2026-11-20T10:00:00.000Z", "2026-11-21T10:00:00.000Z"],
  ])("stays unchanged if the new end %s", (_, validUntil, until) => {
    expect(extendToken(aToken("active", { validUntil }), until, now)).toBeUndefined();
  });
});

describe("the cashier's message for an unusable token", () => {
  it.each([
    ["voucher", "active", {}, undefined],
    ["voucher", "reserved", {}, "This voucher is being used in another payment."],
    ["voucher", "redeemed", { updatedAt: "2026-11-20T23:59:59.999Z" }, "This voucher was used on 20 November 2026."],
    ["voucher", "revoked", {}, "This voucher was revoked on 21 November 2026."],
    ["key", "revoked", {}, "This key was revoked on 21 November 2026."],
    ["key", "active", { validUntil: "2026-11-01T00:00:00.000Z" }, "This key expired on 1 November 2026."],
  ] as const)("of a %s that is %s: %j", (kind, status, more, said) => {
    expect(whyUnavailable(aToken(status, { kind, ...more }), now, undefined)).toBe(said);
  });
});

describe("a key", () => {
  it("is never reserved, and can be revoked", () => {
    expect(reserveToken(aToken("active", { kind: "key" }), use, now)).toBeUndefined();
    expect(revokeToken(aToken("active", { kind: "key" }), now)?.status).toBe("revoked");
  });
});
