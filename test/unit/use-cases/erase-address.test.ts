import { describe, expect, it } from "vitest";
import { keyedCodes } from "../../../shared/adapters/codes/keyed-codes.ts";
import { eraseAddress, findAddress } from "../../../shared/use-cases/operator/retention/erase-address.ts";
import { readLandingPage } from "../../../shared/use-cases/vouchers/read-landing-page.ts";
import { findToken } from "../../../shared/use-cases/vouchers/find-token.ts";
import { countKeysOf } from "../../../shared/use-cases/vouchers/count-tokens.ts";
import { requestAccessToken } from "../../../shared/use-cases/vouchers/request-access-token.ts";
import { allRows } from "../../support/all-rows.ts";
import { aCall } from "../../support/calls.ts";
import { aTemplate, anIssuance, anAskedToken, landingPageId } from "../../support/consumer.ts";
import { openSubjects } from "../../support/open-subjects.ts";
import { aPlatform, merchantId, type Platform } from "../../support/platform.ts";

const old = { k1: "one key of some length, for a test" };
const both = { k2: "a newer key of some length, for a test", ...old };
/** The key of a platform if the test names none. */
const standard = { test: "a key for codes, of this test only" };
const anna = "anna@example.com";
const otherPage = "77777777-0000-4000-8000-00000000aaaa";

async function aWorld() {
  const rows = allRows();
  const platform = await aPlatform({ open: rows.open });
  await platform.deps.accessTokenTemplates.add(aTemplate(), anIssuance());
  const ask = (more: Parameters<typeof anAskedToken>[0] = {}) =>
    requestAccessToken(platform.deps, aCall(platform.deps), anAskedToken(more));
  return { rows, platform, ask };
}
const erase = ({ deps }: Platform, email = anna) => eraseAddress(deps, aCall(deps), email);

/** Everything that is stored, with the content of the rows. */
async function everything({ deps }: Platform, rows: ReturnType<typeof allRows>): Promise<string> {
  const pages = await Promise.all([landingPageId, otherPage].map((page) => deps.landingPages.latest(page, 100)));
  return JSON.stringify([await rows.all(), pages, await openSubjects(deps)]);
}

/** Checks that no stored value holds the address, its mask, or a hash of it under one of these keys. */
async function expectForgotten(
  platform: Platform,
  rows: ReturnType<typeof allRows>,
  keys: Readonly<Record<string, string>>,
) {
  const all = await everything(platform, rows);
  const codes = keyedCodes(keys);
  const { mailbox, domain = [] } = countKeysOf(codes, anna, aTemplate().templateId);
  for (const trace of [
    "anna",
    "a***@e***.com",
    ...codes.addressKeys(anna),
    ...mailbox,
    ...domain.map((key) => `count~${key}`),
  ])
    expect(all).not.toContain(trace);
}

describe("erasing an address", () => {
  it("leaves nothing of it on any page, under any key, and the tokens remain valid", async () => {
    const { rows, platform, ask } = await aWorld();
    platform.deps.codes = keyedCodes(old);
    await ask();
    await platform.pass(1);
    await ask({ button: 2 });
    await platform.pass(1);
    platform.deps.codes = keyedCodes(both);
    await ask({ landingPageId: otherPage });
    await ask({ button: 3, email: "bea@example.com" });
    await platform.pass(60);
    expect(await findAddress(platform.deps, "Anna@Example.com")).toEqual({ requests: 3, underWay: 0 });
    expect(await erase(platform, "Anna@Example.com")).toMatchObject({ requests: 3, underWay: 0 });

    await expectForgotten(platform, rows, both);
    for (const { code } of platform.mailsSent)
      expect(await findToken(platform.deps, code, merchantId)).toMatchObject({ token: { status: "active" } });
    const page = await readLandingPage(platform.deps, aCall(platform.deps), landingPageId);
    expect(page.ok && page.value.requests.map(({ maskedEmail, status }) => [maskedEmail, status])).toEqual([
      ["b***@e***.com", "emailed"],
      ["***", "emailed"],
      ["***", "emailed"],
    ]);
  });

  it("changes nothing if it is repeated, or for an address that never occurred", async () => {
    const { rows, platform, ask } = await aWorld();
    await ask();
    await platform.pass(60);
    await erase(platform);
    const before = await everything(platform, rows);
    expect(await erase(platform)).toEqual({ requests: 0, underWay: 0, rows: 0 });
    expect(await erase(platform, "nobody@example.com")).toEqual({ requests: 0, underWay: 0, rows: 0 });
    expect(await everything(platform, rows)).toBe(before);
  });

  it.each([
    ["before its token is issued", 0],
    ["while its mail is tried again", 3],
  ])("cancels the mail of a request %s", async (_, seconds) => {
    const { rows, platform, ask } = await aWorld();
    const { send } = platform.deps.mails;
    platform.deps.mails.send = async (mail) => {
      await send(mail);
      return { kind: "failed", reason: "ECONNECTION" };
    };
    await ask();
    if (seconds > 0) await platform.pass(seconds);
    const tried = platform.mailsSent.length;
    expect(await erase(platform)).toMatchObject({ requests: 1, underWay: 1 });
    await platform.pass(3_600);
    expect(platform.mailsSent).toHaveLength(tried);
    await expectForgotten(platform, rows, standard);
    expect(await openSubjects(platform.deps)).toEqual([]);
  });

  it("lets a mail arrive that is being sent, and nothing of the address remains after it", async () => {
    const { rows, platform, ask } = await aWorld();
    const { send } = platform.deps.mails;
    platform.deps.mails.send = async (mail) => {
      await erase(platform);
      return send(mail);
    };
    await ask();
    await platform.pass(3_600);
    expect(platform.mailsSent).toHaveLength(1);
    await expectForgotten(platform, rows, standard);
  });

  it("finds a request that got no token because of the limit", async () => {
    const { rows, platform, ask } = await aWorld();
    await Promise.all([1, 2, 3, 4, 5, 6].map((button) => ask({ button })));
    await platform.pass(60);
    expect(await erase(platform)).toMatchObject({ requests: 6 });
    await expectForgotten(platform, rows, standard);
  });

  it("may be interrupted at any write and run again", async () => {
    for (let writes = 0; ; writes++) {
      const { rows, platform, ask } = await aWorld();
      await ask();
      await ask({ landingPageId: otherPage });
      await platform.pass(60);
      rows.cutAfter(writes);
      const ended = await erase(platform).then(
        () => "by itself",
        () => "by the cut",
      );
      rows.cutAfter(Infinity);
      await erase(platform);
      await expectForgotten(platform, rows, standard);
      if (ended === "by itself") break;
      expect(writes).toBeLessThan(20);
    }
  });

  it("lets the customer request a token again afterwards, as a new one", async () => {
    const { platform, ask } = await aWorld();
    await ask();
    await platform.pass(60);
    await erase(platform);
    expect(await ask()).toMatchObject({ ok: true, value: { replayed: false } });
  });
});
