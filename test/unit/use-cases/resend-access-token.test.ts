import { describe, expect, it } from "vitest";
import { keyedCodes } from "../../../shared/adapters/codes/keyed-codes.ts";
import { extendAccessToken } from "../../../shared/use-cases/operator/vouchers/extend-access-token.ts";
import { codeKeyStatus } from "../../../shared/use-cases/operator/vouchers/code-key-status.ts";
import { readLandingPage } from "../../../shared/use-cases/vouchers/read-landing-page.ts";
import { requestAccessToken } from "../../../shared/use-cases/vouchers/request-access-token.ts";
import { resendAccessToken, type Resend } from "../../../shared/use-cases/operator/vouchers/resend-access-token.ts";
import { eraseAddress, findAddress } from "../../../shared/use-cases/operator/retention/erase-address.ts";
import { revokeToken } from "../../../shared/domain/access-token.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { purge } from "../../../shared/use-cases/operator/retention/purge.ts";
import { allRows } from "../../support/all-rows.ts";
import { aCall } from "../../support/calls.ts";
import { aTemplate, anIssuance, anAskedToken, landingPageId } from "../../support/consumer.ts";
import { openSubjects } from "../../support/open-subjects.ts";
import { aPlatform, type Platform } from "../../support/platform.ts";

const [anna, bea] = ["anna@example.com", "bea@example.com"];

/** A platform on which Anna got a voucher by mail two minutes ago. */
async function aMailedToken() {
  const rows = allRows();
  const platform = await aPlatform({ open: rows.open });
  const { deps } = platform;
  await deps.accessTokenTemplates.add(aTemplate(), anIssuance());
  const asked = await requestAccessToken(deps, aCall(deps), anAskedToken());
  if (!asked.ok) throw new Error(asked.error.code);
  await platform.pass(120);
  const { tokenId } = asked.value.request;
  const resend = (more: Partial<Resend> = {}) =>
    resendAccessToken(deps, aCall(deps), { tokenId, email: anna, isOtherAddress: false, ...more });
  const token = async () => {
    const stored = await deps.accessTokens.find(tokenId);
    if (!stored) throw new Error("the token is gone");
    return stored;
  };
  const extend = (extension: Parameters<typeof extendAccessToken>[2]) =>
    extendAccessToken(deps, tokenId, extension, deps.clock.now());
  return { platform, rows, tokenId, resend, token, extend };
}

async function requestOn({ deps }: Platform) {
  const view = await readLandingPage(deps, aCall(deps), landingPageId);
  return view.ok ? view.value.requests[0] : undefined;
}

describe("a mail that is sent again", () => {
  it("has the same code, is sent by the worker, and leaves no address behind", async () => {
    const { platform, rows, resend } = await aMailedToken();
    expect(await resend({ email: "Anna@Example.com" })).toMatchObject({ status: "issued" });
    expect(platform.mailsSent).toHaveLength(1); // not before the worker has seen the commit
    expect(await openSubjects(platform.deps)).toHaveLength(1); // so `repair` finds it
    await platform.pass();

    const [first, second, ...more] = platform.mailsSent;
    expect(more).toEqual([]);
    expect(second).toMatchObject({ code: first?.code, validUntil: first?.validUntil, to: "Anna@Example.com" });
    expect(await requestOn(platform)).toMatchObject({ status: "emailed" });
    expect(await openSubjects(platform.deps)).toEqual([]);
    const stored = JSON.stringify([await rows.all(), await requestOn(platform)]);
    expect(stored.toLowerCase()).not.toContain("anna@");
  });

  it("is not a copy of the first one for the mail server, and the same on each of its attempts", async () => {
    const { platform, resend } = await aMailedToken();
    const { send } = platform.deps.mails;
    let failures = 2;
    platform.deps.mails.send = async (mail) => {
      const sent = await send(mail);
      return failures-- > 0 ? { kind: "failed", reason: "ECONNECTION" } : sent;
    };
    await resend();
    await platform.pass(60);
    const ids = platform.mailsSent.map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids.slice(1)).size).toBe(1);
    expect(ids[1]).not.toBe(ids[0]);
  });

  it("follows a mail that was given up", async () => {
    const { platform, resend } = await aMailedToken();
    const { send } = platform.deps.mails;
    platform.deps.mails.send = async () => ({ kind: "refused", reason: "550" });
    await resend();
    await platform.pass(90);
    expect(await requestOn(platform)).toMatchObject({ status: "emailFailed", statusReason: "addressRefused" });
    platform.deps.mails.send = send;
    await resend();
    await platform.pass();
    expect(await requestOn(platform)).toMatchObject({ status: "emailed" });
    expect((await requestOn(platform))?.statusReason).toBeUndefined();
  });

  it("waits a minute before the next one, however often it is requested", async () => {
    const { platform, resend } = await aMailedToken();
    const asked = await Promise.all(Array.from({ length: 10 }, () => resend()));
    expect(asked.filter((one) => "why" in one)).toHaveLength(9);
    expect(await resend()).toEqual({ why: "Its mail is already being sent." });
    await platform.pass(10);
    expect(await resend()).toEqual({ why: "It was mailed less than a minute ago. Try again in 50 s." });
    expect(platform.mailsSent).toHaveLength(2);
    await platform.pass(50);
    expect(await resend()).toMatchObject({ status: "issued" });
  });

  it("goes to another address only if the operator says so; both addresses then lead to the request", async () => {
    const { platform, resend } = await aMailedToken();
    expect(await resend({ email: bea })).toMatchObject({ why: expect.stringContaining("--other-address") });
    await platform.pass();
    expect(platform.mailsSent).toHaveLength(1);
    expect(await resend({ email: bea, isOtherAddress: true })).toMatchObject({ maskedEmail: "b***@e***.com" });
    await platform.pass(60);
    expect(platform.mailsSent.map(({ to }) => to)).toEqual([anna, bea]);

    const { deps } = platform;
    for (const email of [anna, bea]) expect(await findAddress(deps, email)).toEqual({ requests: 1, underWay: 0 });
    await eraseAddress(deps, aCall(deps), bea);
    expect(await requestOn(platform)).toMatchObject({ maskedEmail: "***" });
    for (const email of [anna, bea]) expect(await findAddress(deps, email)).toEqual({ requests: 0, underWay: 0 });
  });

  it("to another address is purged with its request when its time has passed, with all rows of both addresses", async () => {
    const { platform, rows, resend } = await aMailedToken();
    const ofTokens = async () => (await rows.all()).filter((row) => /(address|count|same|code)~/.test(row));
    await resend({ email: bea, isOtherAddress: true });
    await platform.pass(60);
    expect((await ofTokens()).filter((row) => row.includes("address~"))).toHaveLength(2);
    const { days } = retentionTable.tokenRequests;
    await platform.pass((days + 3) * 86_400);
    expect(await purge(platform.deps, aCall(platform.deps), { kind: "tokenRequests", days })).toMatchObject({
      removed: 1,
    });
    expect(await ofTokens()).toEqual([]);
  });

  it("recognizes the address by a key that is not the first one any more", async () => {
    const { platform, resend } = await aMailedToken();
    platform.deps.codes = keyedCodes({
      newer: "a newer key of some length, for a test",
      test: "a key for codes, of this test only",
    });
    expect(await resend()).toMatchObject({ status: "issued" });
    await platform.pass();
    expect(platform.mailsSent[1]?.code).toBe(platform.mailsSent[0]?.code);
  });

  it("is not sent for a code that cannot be used", async () => {
    const { platform, resend, token } = await aMailedToken();
    await platform.pass(86_400);
    expect(await resend()).toEqual({ why: "It is expired: its code cannot be used." });
    const { token: found, etag } = await token();
    const revoked = revokeToken(found, platform.deps.clock.now());
    if (revoked) await platform.deps.accessTokens.save(revoked, etag);
    expect(await resend()).toEqual({ why: "It is revoked: its code cannot be used." });
    expect(await resend({ tokenId: "nobody's" })).toEqual({ why: "There is no such access token." });
  });
});

describe("an extended token", () => {
  it("is valid again after its end, and the mail that is sent again names the new end", async () => {
    const { platform, extend, resend } = await aMailedToken();
    await platform.pass(2 * 86_400);
    expect(await extend({ days: 30 })).toMatchObject({ status: "active", validUntil: "2026-12-23T10:02:00.000Z" });
    await resend();
    await platform.pass();
    expect(platform.mailsSent[1]?.validUntil).toBe("2026-12-23T10:02:00.000Z");
  });

  it("counts days from its present end", async () => {
    const { extend } = await aMailedToken();
    expect(await extend({ days: 1 })).toMatchObject({ validUntil: "2026-11-23T10:00:00.000Z" });
  });

  it("keeps the key of its code in use", async () => {
    const { platform, extend } = await aMailedToken();
    await extend({ until: "2027-06-01T00:00:00.000Z" });
    expect(await codeKeyStatus(platform.deps, [])).toMatchObject([{ codeKeyId: "test", codesEndOn: "2027-06-01" }]);
  });

  it.each([
    ["sooner", { until: "2026-11-22T09:59:59.999Z" }, "The new end must be later than 2026-11-22T10:00:00.000Z."],
    ["in a lifetime", { until: "2096-01-01T00:00:00.000Z" }, "It cannot be extended by more than ten years."],
  ])("cannot be made to end %s", async (_, extension, why) => {
    const { extend } = await aMailedToken();
    expect(await extend(extension)).toEqual({ why });
  });

  it("does not overwrite a change of another caller", async () => {
    const { platform, extend, token } = await aMailedToken();
    const { find } = platform.deps.accessTokens;
    platform.deps.accessTokens.find = async (id) => {
      const read = await find(id);
      if (read) await platform.deps.accessTokens.save(read.token, read.etag);
      return read;
    };
    await expect(extend({ days: 1 })).rejects.toThrow(Conflict);
    platform.deps.accessTokens.find = find;
    expect((await token()).token.validUntil).toBe("2026-11-22T10:00:00.000Z");
  });
});
