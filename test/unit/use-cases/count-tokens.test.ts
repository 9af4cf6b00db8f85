import { describe, expect, it } from "vitest";
import { createPage } from "../../../shared/domain/landing-page.ts";
import type { Issuance } from "../../../shared/domain/issuance.ts";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { purge } from "../../../shared/use-cases/operator/retention/purge.ts";
import { requestAccessToken } from "../../../shared/use-cases/vouchers/request-access-token.ts";
import { allRows } from "../../support/all-rows.ts";
import { aCall } from "../../support/calls.ts";
import { aTemplate, anAskedToken, anIssuance, landingPageId } from "../../support/consumer.ts";
import { aPlatform } from "../../support/platform.ts";

const { templateId } = aTemplate();

/** A platform whose only template has these limits. Each request uses a new button. */
async function aShop(more: Partial<Issuance> = {}) {
  const rows = allRows();
  const platform = await aPlatform({ open: rows.open });
  const { deps } = platform;
  await deps.accessTokenTemplates.add(aTemplate(), anIssuance(more));
  let button = 0;
  const ask = (asked: Parameters<typeof anAskedToken>[0] = {}) =>
    requestAccessToken(deps, aCall(deps), anAskedToken({ button: ++button, ...asked }));
  return {
    platform,
    deps,
    rows,
    ask,
    /** Requests a voucher for each of the addresses, one after the other, and returns the number of mails. */
    async farm(addresses: readonly string[]) {
      const codes: string[] = [];
      for (const email of addresses) codes.push(codeOf(await ask({ email })));
      await platform.pass();
      return { mails: platform.mailsSent.length, codes };
    },
    async change(changed: Partial<Issuance>) {
      const read = await deps.accessTokenTemplates.findIssuance(templateId);
      if (!read) throw new Error("no issuance");
      await deps.accessTokenTemplates.saveIssuance({ ...read.issuance, ...changed }, read);
    },
    taken: async () =>
      (await deps.accessTokenTemplates.shards(templateId)).reduce((sum, { shard }) => sum + shard.taken, 0),
    requests: () => deps.landingPages.latest(landingPageId, 1_000),
  };
}

const codeOf = (asked: Awaited<ReturnType<typeof requestAccessToken>>): string =>
  asked.ok ? "accepted" : asked.error.code;
const many = (count: number, address: (n: number) => string) => Array.from({ length: count }, (_, n) => address(n));

describe("a person who collects vouchers", () => {
  it("gets five an hour with 120 spellings of one mailbox", async () => {
    const shop = await aShop();
    await shop.platform.pass();
    const { mails } = await shop.farm(many(120, (n) => `Victim.Name+${n}@mailbox.example`));
    expect(mails).toBe(5);
    const dots = await shop.farm(many(12, (n) => `vic${".".repeat(n % 2)}tim+${n}@gmail.com`));
    expect(dots.mails).toBe(10);
  });

  it("gets the limit of a domain with any of its addresses, and a provider's customers are not counted together", async () => {
    const shop = await aShop({ mostPerDomain: 20 });
    const { mails } = await shop.farm(many(60, (n) => `box${n}@mail${n}.catch-all.example`));
    expect(mails).toBe(20);
    const provider = await shop.farm(many(30, (n) => `person${n}@gmail.com`));
    expect(provider.mails).toBe(50);
    await shop.platform.pass(86_401);
    expect(codeOf(await shop.ask({ email: "box100@catch-all.example" }))).toBe("accepted");
  });

  it("gets the limit of a template's day with any addresses; the alert comes before, once, and the next day starts again", async () => {
    const shop = await aShop({ mostADay: 100 });
    const addresses = many(130, (n) => `a${n}@owner${n}.example`);
    const { mails, codes } = await shop.farm(addresses.slice(0, 80));
    const alerts = async () => (await shop.deps.alerts.all()).map(({ kind, about, count }) => ({ kind, about, count }));
    expect(mails).toBeLessThan(100);
    expect(await alerts()).toEqual([{ kind: "tokenLimitNear", about: templateId, count: 1 }]);
    const rest = await shop.farm(addresses.slice(80));
    expect(rest.mails).toBe(100);
    expect(await shop.taken()).toBe(100);
    expect(codes).not.toContain("landing_page_unavailable");
    const ended = (await shop.requests()).filter(({ statusReason }) => statusReason === "limitReached");
    expect(ended.length).toBeGreaterThan(0);
    expect(await shop.ask({ email: "late@example.com" })).toMatchObject({
      error: { code: "landing_page_unavailable", detail: "The page has reached its limit." },
    });
    expect(await alerts()).toMatchObject([{ count: 1 }]);

    await shop.platform.pass(86_400);
    expect(codeOf(await shop.ask({ email: "late@example.com" }))).toBe("accepted");
  });

  it("gets no more in total than the template may issue, from two hosts that die at any step", async () => {
    const shop = await aShop({ mostADay: 60, mostInAll: 60 });
    const { accessTokens, accessTokenTemplates, landingPages } = shop.deps;
    const { saveShard } = accessTokenTemplates;
    const { issue } = accessTokens;
    const { commit } = landingPages;
    let calls = 0;
    /** Every third call dies, before or after its work. */
    const dying =
      <Given extends unknown[]>(act: (...given: Given) => Promise<void>) =>
      async (...given: Given) => {
        const n = ++calls;
        if (n % 6 === 0) throw new Unavailable("the host was killed");
        await act(...given);
        if (n % 6 === 3) throw new Unavailable("the host was killed");
      };
    accessTokenTemplates.saveShard = dying(saveShard);
    accessTokens.issue = dying(issue);
    landingPages.commit = dying(commit);
    await Promise.all(many(90, (n) => `a${n}@owner${n}.example`).map((email) => shop.ask({ email })));
    await shop.platform.pass(3_600);
    const tokens = await Promise.all((await shop.requests()).map(({ tokenId }) => accessTokens.find(tokenId)));
    const issued = tokens.filter((token) => token !== undefined).length;
    expect(issued).toBe(60);
    expect(await shop.taken()).toBe(60); // no place is wasted while a request is among the latest of its shard
  });
});

describe("a template", () => {
  it("that is stopped refuses requests at once, ends running ones without a token, and issues again when it is resumed", async () => {
    const shop = await aShop();
    await shop.ask();
    await shop.change({ status: "stopped" });
    expect(await shop.ask()).toMatchObject({ error: { code: "landing_page_unavailable" } });
    await shop.platform.pass();
    expect(shop.platform.mailsSent).toEqual([]);
    expect(await shop.requests()).toMatchObject([{ status: "emailFailed", statusReason: "templateStopped" }]);
    expect(await shop.taken()).toBe(0);

    await shop.change({ status: "active" });
    expect(await shop.ask({ button: 1 })).toMatchObject({ value: { replayed: false } });
    await shop.platform.pass();
    expect(shop.platform.mailsSent).toHaveLength(1);
  });

  it("whose pages operators create accepts requests only on those", async () => {
    const shop = await aShop({ pages: "operators" });
    expect(codeOf(await shop.ask())).toBe("landing_page_not_found");
    expect(await shop.deps.landingPages.find(landingPageId)).toBeUndefined();
    await shop.deps.landingPages.add(createPage(anAskedToken(), aTemplate(), shop.deps.clock.now()));
    expect(codeOf(await shop.ask())).toBe("accepted");
  });

  it("is unknown to a consumer user whom it does not name", async () => {
    const shop = await aShop();
    expect(codeOf(await shop.ask({ user: "another shop" }))).toBe("access_token_template_not_found");
  });
});

it("the counts of a mailbox and a domain are purged with their last request", async () => {
  const { platform, deps, rows, ask } = await aShop();
  await ask({ email: "anna+1@example.com" });
  await platform.pass(60);
  const counts = async () => (await rows.all()).filter((row) => row.includes("count~"));
  expect(await counts()).toHaveLength(2);
  const { days } = retentionTable.tokenRequests;
  await platform.pass((days + 3) * 86_400);
  await purge(deps, aCall(deps), { kind: "tokenRequests", days });
  expect(await counts()).toEqual([]);
});
