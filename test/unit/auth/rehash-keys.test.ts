import { expect, it } from "vitest";
import { partner, terminal } from "../../../shared/edge/auth/authenticate.ts";
import { hashKey } from "../../../shared/edge/auth/credentials.ts";
import { rehashingKeys, type ProvenKey } from "../../../shared/edge/auth/rehash-keys.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import { anApiKey } from "../../support/a-partner.ts";
import { waitFor } from "../../support/wait-for.ts";
import { aPlatform, aTerminal, partnerId, terminalId } from "../../support/platform.ts";
import { noAuthWork } from "../../support/auth-deps.ts";

const peppers = { second: "a newer pepper of length", first: "an older pepper of length" };
const oldOf = (keyId: string) => ({ hash: hashKey("secret", peppers.first, { keyId, partnerId }), pepperId: "first" });
const freshOf = (keyId: string) => ({
  hash: hashKey("secret", peppers.second, { keyId, partnerId }),
  pepperId: "second",
});
const [old, fresh] = [oldOf("k1"), freshOf("k1")];

/** The platform with a key and a terminal that were hashed by the older pepper. */
async function rotated() {
  const { deps, log } = await aPlatform();
  await deps.partners.saveKey(anApiKey({ partnerId, ...old }), undefined);
  const known = await deps.terminals.find(terminalId);
  await deps.terminals.save(aTerminal({ keyHash: oldOf(terminalId).hash, pepperId: old.pepperId }), known?.etag);
  const writes: Promise<void>[] = [];
  const rehash = rehashingKeys(peppers, deps.clock, log);
  /** Rehashes as the app does, and collects the writes, which no request waits for. */
  const rehashKey = (key: ProvenKey) => {
    const replace: ProvenKey["replace"] = (was, next) => {
      const write = key.replace(was, next);
      writes.push(write.catch(() => {}));
      return write;
    };
    rehash({ ...key, replace });
  };
  const auth = { ...deps, peppers, ...noAuthWork, rehashKey };
  const call = async (secret = "secret") => {
    const headers = new Headers({
      apikey: `pk_k1_${secret}`,
      "x-terminal-key": `tk_${terminalId.replaceAll("-", "")}_${secret}`,
    });
    const request = { headers } as never;
    const both = [await partner("payments").authenticate(request, auth), await terminal.authenticate(request, auth)];
    await Promise.all(writes);
    return both.map(({ ok }) => ok);
  };
  return { deps, log, auth, writes, call };
}

it("a key that is used is hashed again with the first pepper, once, and stays valid", async () => {
  const { deps, writes, call } = await rotated();
  expect(await call()).toEqual([true, true]);
  expect(await deps.partners.findKey("k1")).toMatchObject({ ...fresh, partnerId, scopes: ["payments"] });
  expect(await deps.terminals.findKey(terminalId)).toMatchObject({
    keyHash: freshOf(terminalId).hash,
    pepperId: "second",
  });
  expect(await call()).toEqual([true, true]);
  expect(writes).toHaveLength(2);
});

it("a wrong secret changes nothing", async () => {
  const { deps, writes, call } = await rotated();
  expect(await call("another")).toEqual([false, false]);
  expect(writes).toEqual([]);
  expect(await deps.partners.findKey("k1")).toMatchObject(old);
});

it.each([new Conflict("changed"), new Unavailable("tables are away")])(
  "a request does not fail if the new hash cannot be written: %s, and the key is tried again later",
  async (trouble) => {
    const { deps, auth, writes, call } = await rotated();
    const { rehashKey } = deps.partners;
    auth.partners = { ...deps.partners, rehashKey: () => Promise.reject(trouble) };
    expect(await call()).toEqual([true, true]);
    expect(await deps.partners.findKey("k1")).toMatchObject(old);
    auth.partners = { ...deps.partners, rehashKey };
    await call();
    expect(writes).toHaveLength(2); // not at every request
    await deps.clock.sleep(10 * 60_000);
    await call();
    expect(await deps.partners.findKey("k1")).toMatchObject(fresh);
  },
);

it("a hash that cannot be written is a line in the log that names whose key it is; another writer's is none", async () => {
  const { deps, log, auth, call } = await rotated();
  const away = async () => {
    throw new Unavailable("Table Storage: ServerBusy");
  };
  auth.partners = { ...deps.partners, rehashKey: away };
  auth.terminals = { ...deps.terminals, rehashKey: () => Promise.reject(new Error("tk_5ecret")) };
  expect(await call()).toEqual([true, true]);
  const failed = () => log.of("rehashFailed");
  await waitFor("two lines", async () => failed(), { until: (lines) => lines.length === 2 });
  expect(failed()).toMatchObject([
    { partner: partnerId, error: "Unavailable: Table Storage: ServerBusy" },
    { terminal: terminalId, error: "Error" },
  ]);
  auth.partners = { ...deps.partners, rehashKey: () => Promise.reject(new Conflict("changed")) };
  await deps.clock.sleep(10 * 60_000);
  await call();
  await waitFor("the terminal's next line", async () => failed(), { until: (lines) => lines.length === 3 });
  expect(failed()[2]).toMatchObject({ terminal: terminalId });
});

it("a key that was replaced or revoked meanwhile is not brought back", async () => {
  const { deps } = await rotated();
  const replaced = { hash: hashKey("another", peppers.second, { keyId: "k1", partnerId }), pepperId: "second" };
  await deps.partners.saveKey(anApiKey({ partnerId, ...replaced }), (await deps.partners.readKey("k1"))?.etag);
  await deps.partners.rehashKey("k1", old, fresh);
  await deps.partners.rehashKey("gone", old, fresh);
  expect(await deps.partners.findKey("k1")).toMatchObject(replaced);
  expect(await deps.partners.findKey("gone")).toBeUndefined();
});
