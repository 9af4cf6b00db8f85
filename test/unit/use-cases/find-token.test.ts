import { expect, it } from "vitest";
import { keyedCodes } from "../../../shared/adapters/codes/keyed-codes.ts";
import { findToken } from "../../../shared/use-cases/vouchers/find-token.ts";
import { requestAccessToken } from "../../../shared/use-cases/vouchers/request-access-token.ts";
import { aTemplate, anIssuance, anAskedToken } from "../../support/consumer.ts";
import { aCall } from "../../support/calls.ts";
import { aPlatform, merchantId, type Platform } from "../../support/platform.ts";

const old = { k1: "one key of some length, for a test" };
const fresh = { k2: "a newer key of some length, for a test" };

/** A platform with these keys. `restartWith` gives it other keys. Their order is the order of the host that runs at that moment. */
async function withKeys(keys: Readonly<Record<string, string>>) {
  const platform = await aPlatform();
  await platform.deps.accessTokenTemplates.add(aTemplate(), anIssuance());
  const restartWith = (next: Readonly<Record<string, string>>) => void (platform.deps.codes = keyedCodes(next));
  restartWith(keys);
  return { platform, restartWith };
}
const ask = (platform: Platform, more: Parameters<typeof anAskedToken>[0] = {}) =>
  requestAccessToken(platform.deps, aCall(platform.deps), anAskedToken(more));

async function mailedCode(platform: Platform, more: Parameters<typeof anAskedToken>[0] = {}): Promise<string> {
  expect(await ask(platform, more)).toMatchObject({ ok: true });
  await platform.pass();
  return platform.mailsSent.at(-1)?.code ?? "none";
}
const find = (platform: Platform, code: string) => findToken(platform.deps, code, merchantId);

it("a code is valid under the key that made it, whichever key is first, until that key is removed", async () => {
  const { platform, restartWith } = await withKeys(old);
  const code = await mailedCode(platform);
  for (const keys of [
    { ...old, ...fresh },
    { ...fresh, ...old },
  ]) {
    restartWith(keys);
    expect(await find(platform, code)).toMatchObject({ token: { codeKeyId: "k1" } });
  }
  const newCode = await mailedCode(platform, { button: 2 });
  expect(await find(platform, newCode)).toMatchObject({ token: { codeKeyId: "k2" } });
  restartWith(fresh);
  expect(await find(platform, code)).toBeUndefined();
  expect(await find(platform, newCode)).toMatchObject({ token: { codeKeyId: "k2" } });
});

it("an unknown code costs one lookup for each key, and a code of the first key one lookup", async () => {
  const { platform, restartWith } = await withKeys({ ...fresh, ...old });
  const code = await mailedCode(platform);
  let looks = 0;
  const { findByCode } = platform.deps.accessTokens;
  platform.deps.accessTokens.findByCode = (hash) => (looks++, findByCode(hash));
  await find(platform, code);
  expect(looks).toBe(1);
  restartWith({ k3: "a third key of some length, for a test", ...fresh, ...old });
  await find(platform, platform.deps.codes.codeOf("nobody's", "k1"));
  expect(looks).toBe(4);
});

it("a token that one host issued is mailed by another with the code by which it is found, whichever key that host has first", async () => {
  const { platform, restartWith } = await withKeys({ ...old, ...fresh });
  const { send } = platform.deps.announcements;
  // The host that issues is replaced before the mailing host begins.
  platform.deps.announcements.send = async (queue, ...rest) => {
    await send(queue, ...rest);
    if (queue === "mails") restartWith({ ...fresh, ...old });
  };
  const code = await mailedCode(platform);
  expect(await find(platform, code)).toMatchObject({ token: { codeKeyId: "k1" } });
});

it("the same request within a day is a replay across a rotation", async () => {
  const { platform, restartWith } = await withKeys(old);
  await mailedCode(platform);
  restartWith({ ...old, ...fresh });
  expect(await ask(platform)).toMatchObject({ value: { replayed: true } });
  await mailedCode(platform, { button: 2 });
  restartWith({ ...fresh, ...old });
  expect(await ask(platform)).toMatchObject({ value: { replayed: true } });
  restartWith(fresh); // the second request was entered under both keys
  expect(await ask(platform, { button: 2 })).toMatchObject({ value: { replayed: true } });
});

it("the same request at two hosts with different first keys at the same moment creates one token", async () => {
  const { platform } = await withKeys(old);
  const hosts = [
    { ...platform.deps, codes: keyedCodes({ ...old, ...fresh }) },
    { ...platform.deps, codes: keyedCodes({ ...fresh, ...old }) },
  ];
  const results = await Promise.all(hosts.map((deps) => requestAccessToken(deps, aCall(deps), anAskedToken())));
  expect(results.filter((result) => result.ok)).toHaveLength(2);
  expect(results.filter((result) => result.ok && !result.value.replayed)).toHaveLength(1);
});

it("the limit for one address counts tokens under every key", async () => {
  const { platform, restartWith } = await withKeys(old);
  for (const button of [1, 2, 3]) await mailedCode(platform, { button });
  restartWith({ ...fresh, ...old });
  for (const button of [4, 5]) await mailedCode(platform, { button });
  expect(await ask(platform, { button: 6 })).toMatchObject({ ok: false, error: { code: "rate_limited" } });
});

it("the worker that issues counts tokens under every key, too", async () => {
  const { platform, restartWith } = await withKeys(old);
  for (const button of [1, 2, 3, 4]) await mailedCode(platform, { button });
  restartWith({ ...fresh, ...old });
  await Promise.all([5, 6, 7].map((button) => ask(platform, { button })));
  await platform.pass();
  expect(platform.mailsSent).toHaveLength(5);
});
