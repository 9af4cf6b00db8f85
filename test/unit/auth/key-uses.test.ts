import { expect, it } from "vitest";
import { networkOf, notingKeyUses } from "../../../shared/edge/auth/key-uses.ts";
import { after } from "../../../shared/domain/time.ts";
import { expireKey } from "../../../shared/use-cases/operator/onboarding/keys.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import { anApiKey } from "../../support/a-partner.ts";
import { aPlatform, partnerId } from "../../support/platform.ts";

it.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["::ffff:203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:7:1:2:3:4:5", "2001:db8:7::/48"],
  ["203.0.113.77:4711", undefined],
  ["a server", undefined],
  ["", undefined],
])("of the address %j only the network is kept: %s", (address, network) => {
  expect(networkOf(new Headers({ "x-client-address": address }))).toBe(network);
});

/** A platform with a key, and two processes that record its uses. */
async function used() {
  const platform = await aPlatform();
  const { deps, log } = platform;
  await deps.partners.saveKey(anApiKey({ partnerId }), undefined);
  const writes: string[] = [];
  const trouble: Error[] = [];
  const partners = {
    async noteUse(...[keyId, use]: Parameters<typeof deps.partners.noteUse>) {
      const [failure] = trouble.splice(0, 1);
      if (failure) throw failure;
      writes.push(use.network);
      await deps.partners.noteUse(keyId, use);
    },
  };
  const processes = [1, 2].map(() => notingKeyUses({ ...deps, partners, log }));
  const use = async (network: string | undefined, process = 0) => {
    const key = await deps.partners.findKey("k1");
    if (key) processes[process]?.({ key, network });
    await new Promise(setImmediate);
    return deps.partners.findUse("k1");
  };
  /** Gives the key an expiry, as an operator does. */
  const end = async (expiresAt: string) => {
    const stored = await deps.partners.readKey("k1");
    if (stored) await expireKey(deps, stored, { now: deps.clock.now(), expiresAt });
  };
  return { ...platform, use, end, writes, trouble };
}

it("a key's last use is recorded once a day, whatever the process, and again on the next day", async () => {
  const { use, writes, pass } = await used();
  const first = { day: "2026-11-21", network: "203.0.113.0/24" };
  expect(await use("203.0.113.0/24")).toEqual(first);
  expect(await use("198.51.100.0/24")).toEqual(first);
  expect(writes).toHaveLength(1);
  expect(await use("198.51.100.0/24", 1)).toEqual(first);
  await pass(24 * 3600);
  expect(await use(undefined)).toEqual({ day: "2026-11-22", network: "unknown" });
});

it("recording the use of a key does not write to the key: it undoes no revocation, and conflicts with none", async () => {
  const { deps, use } = await used();
  const stored = await deps.partners.readKey("k1");
  await use("203.0.113.0/24");
  const revoked = { ...anApiKey({ partnerId }), revokedAt: deps.clock.now() };
  await deps.partners.saveKey(revoked, stored?.etag);
  expect(await deps.partners.findKey("k1")).toEqual(revoked);
});

it("a use that could not be recorded is a line in the log, and the next use tries again; a conflict causes neither", async () => {
  const { use, trouble, log } = await used();
  trouble.push(new Unavailable("the tables do not respond"), new Conflict("another process was first"));
  expect(await use("203.0.113.0/24")).toBeUndefined();
  expect(log.lines).toMatchObject([{ event: "keyUseNotNoted", partner: partnerId, key: "k1" }]);
  expect(await use("203.0.113.0/24")).toBeUndefined();
  expect(await use("203.0.113.0/24")).toBeUndefined(); // the other process recorded it
  expect(log.lines).toHaveLength(1);
});

it("a key in use raises an alert once, a month before its expiry; a key that a rotation ends within days does not", async () => {
  const { deps, use, end, pass } = await used();
  const day = 24 * 3600;
  const endsAt = after(deps.clock.now(), 40 * day);
  const alert = { subject: { kind: "platform" }, kind: "keyEndsSoon", about: "k1" } as const;
  await end(endsAt);
  await use("203.0.113.0/24");
  await pass(9 * day);
  await use("203.0.113.0/24");
  expect(await deps.alerts.find(alert)).toBeUndefined();
  for (const days of [2, 1]) {
    await pass(days * day);
    await use("203.0.113.0/24");
    await use("203.0.113.0/24", 1);
    await pass();
    expect(await deps.alerts.find(alert)).toMatchObject({
      alert: { status: "open", count: 1, detail: `the key of partner ${partnerId} ends at ${endsAt}` },
    });
  }
  await end(after(deps.clock.now(), 7 * day));
  await pass(day);
  await use("203.0.113.0/24");
  await pass();
  expect((await deps.alerts.find(alert))?.alert.count).toBe(1);
});
