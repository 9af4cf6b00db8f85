import { describe, expect, it } from "vitest";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import type { MailReply } from "../../../shared/ports/mails.ts";
import { readLandingPage } from "../../../shared/use-cases/vouchers/read-landing-page.ts";
import { countKeysOf } from "../../../shared/use-cases/vouchers/count-tokens.ts";
import { requestAccessToken } from "../../../shared/use-cases/vouchers/request-access-token.ts";
import { aTemplate, anIssuance, anAskedToken, landingPageId } from "../../support/consumer.ts";
import { aCall } from "../../support/calls.ts";
import { aPlatform, type Platform } from "../../support/platform.ts";

async function aPlatformWithTemplate() {
  const platform = await aPlatform();
  await platform.deps.accessTokenTemplates.add(aTemplate(), anIssuance());
  return platform;
}
const ask = (platform: Platform, more: Parameters<typeof anAskedToken>[0] = {}) =>
  requestAccessToken(platform.deps, aCall(platform.deps), anAskedToken(more));

async function requestsOn(platform: Platform, page = landingPageId) {
  const view = await readLandingPage(platform.deps, aCall(platform.deps), page);
  return view.ok ? view.value.requests : [];
}

describe("a landing page request", () => {
  it("creates the page, and mails the customer a code by which the token is found", async () => {
    const platform = await aPlatformWithTemplate();

    expect(await ask(platform)).toMatchObject({
      ok: true,
      value: { replayed: false, request: { status: "received" } },
    });
    expect(platform.mailsSent).toEqual([]); // not before the worker has seen the commit
    await platform.pass();

    const [mail] = platform.mailsSent;
    expect(platform.mailsSent).toHaveLength(1);
    expect(mail).toMatchObject({ to: "anna@example.com", pageName: "A page", kind: "voucher", locale: "en-SE" });
    const [hash = ""] = platform.deps.codes.hashesOf(mail?.code ?? "") ?? [];
    expect(await platform.deps.accessTokens.findByCode(hash)).toMatchObject({
      token: { kind: "voucher", status: "active", value: { amount: 2_500 }, validUntil: "2026-11-22T10:00:00.000Z" },
    });
    const requests = await requestsOn(platform);
    expect(requests).toMatchObject([{ status: "emailed" }]);
    expect(JSON.stringify(requests)).not.toContain("anna");
    expect(JSON.stringify(await platform.deps.landingPages.find(landingPageId))).not.toContain("anna");
  });

  it("mails in the locale that the request names", async () => {
    const platform = await aPlatformWithTemplate();
    await ask(platform, { locale: "fi-FI" });
    await platform.pass();
    expect(platform.mailsSent).toMatchObject([{ locale: "fi-FI" }]);
  });

  it("creates one request, one token and one mail when it is repeated within a day, in any case and concurrently", async () => {
    const platform = await aPlatformWithTemplate();
    const all = await Promise.all(
      ["anna@example.com", "Anna@Example.com", "anna@example.com"].map((email) => ask(platform, { email })),
    );
    await platform.pass();
    const later = await ask(platform);

    const ids = [...all, later].map((result) => result.ok && result.value.request.requestId);
    expect(new Set(ids).size).toBe(1);
    expect(all.filter((result) => result.ok && !result.value.replayed)).toHaveLength(1);
    expect(later).toMatchObject({ ok: true, value: { replayed: true, request: { status: "emailed" } } });
    await platform.pass(3_600);
    expect(platform.mailsSent).toHaveLength(1);
  });

  it("is a new request after a day, or by another button", async () => {
    const platform = await aPlatformWithTemplate();
    await ask(platform);
    await ask(platform, { button: 2 });
    await platform.pass(86_400);
    expect(await ask(platform)).toMatchObject({ ok: true, value: { replayed: false } });
    await platform.pass();
    expect(new Set(platform.mailsSent.map((mail) => mail.code)).size).toBe(3);
  });

  it.each([
    ["another product", { productId: "88888888-0000-4000-8000-00000000dead" }, "landing_page_conflict"],
    ["another template", { templateId: "99999999-0000-4000-8000-00000000dead" }, "landing_page_conflict"],
  ])("is refused for a page that exists with %s", async (_, change, code) => {
    const platform = await aPlatformWithTemplate();
    await ask(platform);
    expect(await ask(platform, change)).toMatchObject({ ok: false, error: { code } });
  });

  it("is refused for an unknown template, and creates no page", async () => {
    const platform = await aPlatform();
    expect(await ask(platform)).toMatchObject({ ok: false, error: { code: "access_token_template_not_found" } });
    expect(await readLandingPage(platform.deps, aCall(platform.deps), landingPageId)).toMatchObject({ ok: false });
    expect(platform.queued).toEqual([]);
  });

  it("is refused on a disabled page, but a repeated one is still replayed", async () => {
    const platform = await aPlatformWithTemplate();
    await ask(platform);
    const stored = await platform.deps.landingPages.find(landingPageId);
    if (!stored) throw new Error("no page");
    await platform.deps.landingPages.save({ ...stored.page, status: "disabled" }, stored.etag);

    expect(await ask(platform, { button: 2 })).toMatchObject({
      ok: false,
      error: { code: "landing_page_unavailable" },
    });
    expect(await ask(platform)).toMatchObject({ ok: true, value: { replayed: true } });
  });

  it("is refused on a page whose template has ended", async () => {
    const platform = await aPlatform();
    await platform.deps.accessTokenTemplates.add(aTemplate({ endsAt: "2026-11-21T10:00:00.000Z" }), anIssuance());
    expect(await ask(platform)).toMatchObject({
      ok: false,
      error: {
        code: "landing_page_unavailable",
        detail: expect.stringContaining("offer of the page has ended") as string,
      },
    });
  });
});

describe("the limit on tokens to one address", () => {
  it("refuses the sixth within an hour on any page, with the seconds until the next", async () => {
    const platform = await aPlatformWithTemplate();
    for (const button of [1, 2, 3, 4, 5]) await ask(platform, { button });
    await platform.pass(60);

    const sixth = await ask(platform, { landingPageId: "77777777-0000-4000-8000-00000000aaaa" });
    expect(sixth).toMatchObject({ ok: false, error: { code: "rate_limited", retryAfterSeconds: 3_540 } });
    expect(await ask(platform, { button: 6, email: "bea@example.com" })).toMatchObject({ ok: true });

    await platform.pass(3_540);
    expect(await ask(platform, { button: 6 })).toMatchObject({ ok: true });
  });

  it("issues five of many concurrent ones; the others get no token and no mail, and may be requested again", async () => {
    const platform = await aPlatformWithTemplate();
    await Promise.all(Array.from({ length: 9 }, (_, button) => ask(platform, { button })));
    await platform.pass();

    expect(platform.mailsSent).toHaveLength(5);
    const requests = await requestsOn(platform);
    expect(requests.filter((r) => r.status === "emailed")).toHaveLength(5);
    const refused = requests.filter((r) => r.status === "emailFailed" && r.statusReason === "rateLimited");
    expect(refused).toHaveLength(4);
    expect(await platform.deps.accessTokens.find(refused[0]?.tokenId ?? "")).toBeUndefined();
    await platform.pass(3_600);
    expect(await ask(platform, { button: refused[0]?.button ?? 0 })).toMatchObject({ value: { replayed: false } });
  });
});

describe("mailing a token", () => {
  const answering = (platform: Platform, ...answers: MailReply[]) => {
    const { send } = platform.deps.mails;
    platform.deps.mails.send = async (mail) => {
      const sent = await send(mail);
      return answers.shift() ?? sent;
    };
  };
  const failed = { kind: "failed", reason: "ECONNECTION" } as const;

  it("is retried while the mail server is away: the same mail of the same token", async () => {
    const platform = await aPlatformWithTemplate();
    answering(platform, failed, failed);
    await ask(platform);
    await platform.pass(4);
    expect(platform.mailsSent).toHaveLength(1);
    await platform.pass(10);

    expect(platform.mailsSent).toHaveLength(3);
    expect(new Set(platform.mailsSent.map((mail) => JSON.stringify(mail))).size).toBe(1);
    expect(await requestsOn(platform)).toMatchObject([{ status: "emailed" }]);
  });

  it("is given up at the end of its schedule, and the address is erased", async () => {
    const platform = await aPlatformWithTemplate();
    answering(platform, failed, failed, failed);
    await ask(platform);
    await platform.pass(60);
    expect(platform.mailsSent).toHaveLength(3);
    const requests = await requestsOn(platform);
    expect(requests).toMatchObject([{ status: "emailFailed", statusReason: "mailServerSilent" }]);
    expect(JSON.stringify(requests)).not.toContain("anna");
    const tried = platform.log.of("mail").map(({ attempt, outcome, dueMs }) => [attempt, outcome, dueMs]);
    expect(tried).toEqual([
      [1, "failed", 5_000],
      [2, "failed", 5_000],
      [3, "failed", undefined],
    ]);
    const [line, ...others] = platform.log.of("mailGivenUp");
    const { requestId: tokenRequest, landingPageId: landingPage } = requests[0] ?? {};
    expect(line).toMatchObject({ attempt: 3, reason: "ECONNECTION", tokenRequest, landingPage });
    expect(others).toEqual([]);
    expect(JSON.stringify(platform.log.lines)).not.toContain("anna");
  });

  it("is given up at once when the mail server will never accept it", async () => {
    const platform = await aPlatformWithTemplate();
    answering(platform, { kind: "refused", reason: "550" });
    await ask(platform);
    await platform.pass(60);
    expect(platform.mailsSent).toHaveLength(1);
    expect(await requestsOn(platform)).toMatchObject([{ status: "emailFailed", statusReason: "addressRefused" }]);
  });

  it("is repeated when the record of its completion is lost, with the same token", async () => {
    const platform = await aPlatformWithTemplate();
    const { commit } = platform.deps.landingPages;
    let lost = 0;
    platform.deps.landingPages.commit = async (request, ...rest) => {
      if (request.status === "emailed" && lost++ === 0) throw new Unavailable("tables are away");
      return commit(request, ...rest);
    };
    await ask(platform);
    await platform.pass(10);
    expect(new Set(platform.mailsSent.map((mail) => mail.code)).size).toBe(1);
    expect(await requestsOn(platform)).toMatchObject([{ status: "emailed" }]);
  });

  it("does not happen for a token that was revoked first", async () => {
    const platform = await aPlatformWithTemplate();
    const { find } = platform.deps.accessTokens;
    platform.deps.accessTokens.find = async (tokenId) => {
      const stored = await find(tokenId);
      return stored && { ...stored, token: { ...stored.token, status: "revoked" } };
    };
    await ask(platform);
    await platform.pass();
    expect(platform.mailsSent).toEqual([]);
    expect(await requestsOn(platform)).toMatchObject([{ status: "emailFailed", statusReason: "tokenRevoked" }]);
  });
});

describe("the look of a template", () => {
  const brand = { name: "Fjord & Bean", colour: "#7a2e1d" };
  const aLook = { templateId: aTemplate().templateId, brand, updatedAt: "2026-11-21T10:00:00.000Z" };

  it("is on its mails, with the texts of their language", async () => {
    const platform = await aPlatformWithTemplate();
    const texts = { en: { terms: "One per guest." }, sv: { terms: "Ett per gäst." } };
    await platform.deps.accessTokenTemplates.saveLook({ ...aLook, texts }, undefined);
    await ask(platform);
    await platform.pass();
    expect(platform.mailsSent).toMatchObject([{ brand, texts: { terms: "One per guest." } }]);
  });

  it("is changed by one of two concurrent operators", async () => {
    const { accessTokenTemplates } = (await aPlatformWithTemplate()).deps;
    await accessTokenTemplates.saveLook(aLook, undefined);
    await expect(accessTokenTemplates.saveLook(aLook, undefined)).rejects.toThrow(Conflict);
    const read = await accessTokenTemplates.findLook(aLook.templateId);
    await accessTokenTemplates.saveLook({ ...aLook, brand: { ...brand, colour: "#112233" } }, read);
    await expect(accessTokenTemplates.saveLook(aLook, read)).rejects.toThrow(Conflict);
    expect((await accessTokenTemplates.findLook(aLook.templateId))?.look.brand?.colour).toBe("#112233");
  });

  it("is read only for a mail", async () => {
    const platform = await aPlatformWithTemplate();
    let reads = 0;
    const { findLook } = platform.deps.accessTokenTemplates;
    platform.deps.accessTokenTemplates.findLook = (templateId) => {
      reads++;
      return findLook(templateId);
    };
    await ask(platform);
    await platform.deps.accessTokenTemplates.list();
    expect(reads).toBe(0);
    await platform.pass();
    expect(reads).toBe(1);
  });
});

describe("issuing a token", () => {
  it.each(["issue", "commit"] as const)("is finished by another worker when one crashed at its %s", async (step) => {
    const platform = await aPlatformWithTemplate();
    let died = 0;
    const { accessTokens, landingPages } = platform.deps;
    const { issue } = accessTokens;
    const { commit } = landingPages;
    accessTokens.issue = async (...given) => {
      await issue(...given);
      if (step === "issue" && died++ === 0) throw new Unavailable("the answer was lost");
    };
    landingPages.commit = async (request, ...rest) => {
      if (step === "commit" && request.status === "issued" && died++ === 0) throw new Unavailable("tables are away");
      return commit(request, ...rest);
    };
    await ask(platform);
    await platform.pass(60);

    expect(died).toBeGreaterThan(0);
    expect(platform.mailsSent).toHaveLength(1);
    const counted = countKeysOf(platform.deps.codes, "anna@example.com", aTemplate().templateId);
    for (const [key] of [counted.mailbox, counted.domain ?? [""]])
      expect((await accessTokens.issuedTo(key))?.issued).toHaveLength(1);
    const taken = (await platform.deps.accessTokenTemplates.shards(aTemplate().templateId)).map(
      ({ shard }) => shard.taken,
    );
    expect(taken.reduce((sum, one) => sum + one, 0)).toBe(1); // it found its own place
  });
});
