import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import host from "../../../host.json" with { type: "json" };
import { WEBHOOK_PERMITS, webhookBulkhead, type Attempting } from "../../../shared/adapters/webhooks/bulkhead.ts";

const at = (partnerId: string, origin = `https://${partnerId}.example`) => ({ partnerId, origin });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function somePermits(total = 16) {
  let now = 0;
  const bulkhead = webhookBulkhead({ total, now: () => now });
  return {
    /** Takes a permit. Undefined if the wait for it ends without one. */
    async take(attempting: Attempting) {
      const taken = bulkhead.take(attempting);
      await vi.advanceTimersByTimeAsync(500);
      return taken;
    },
    begin: (attempting: Attempting) => bulkhead.take(attempting),
    pass: (ms: number) => void (now += ms),
  };
}
type Permits = ReturnType<typeof somePermits>;

/** Takes this many permits, one after the other. */
async function some(permits: Permits, count: number, attempting: (index: number) => Attempting) {
  const taken = [];
  for (let i = 0; i < count; i++) taken.push(await permits.take(attempting(i)));
  return taken;
}

describe("attempts of one instance", () => {
  it("are as many as its host takes from a queue", () => {
    expect(WEBHOOK_PERMITS).toBe(host.extensions.serviceBus.maxConcurrentCalls);
  });

  it("are three at a time to one origin", async () => {
    const permits = somePermits();
    expect((await some(permits, 4, () => at("one"))).map((permit) => permit !== undefined)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it("to a server that responds are not postponed: each waits for the previous one, first come first served", async () => {
    const permits = somePermits();
    const [first] = await some(permits, 3, () => at("one"));
    const order: string[] = [];
    const waiting = ["fourth", "fifth"].map(async (name) => {
      const permit = await permits.begin(at("one"));
      order.push(name);
      permit?.end(false);
      return permit;
    });
    first?.end(false);
    expect(await Promise.all(waiting)).toEqual([expect.anything(), expect.anything()]);
    expect(order).toEqual(["fourth", "fifth"]);
  });

  it("that wait are at most half of them, so that others do not wait with them", async () => {
    const permits = somePermits();
    await some(permits, 3, () => at("one"));
    for (let i = 0; i < 8; i++) void permits.begin(at("one"));
    expect(await permits.begin(at("one"))).toBeUndefined();
    expect(await permits.begin(at("other"))).toBeDefined();
  });

  it("are six at a time to all origins of a partner", async () => {
    const permits = somePermits();
    const taken = await some(permits, 7, (i) => at("one", `https://${i}.example`));
    expect(taken.map((permit) => permit !== undefined).lastIndexOf(true)).toBe(5);
    expect(await permits.take(at("other"))).toBeDefined();
  });

  it("of a partner to a server that hangs do not affect another partner's attempts to the same server", async () => {
    const permits = somePermits();
    const shared = "https://hooks.example";
    for (const permit of await some(permits, 3, () => at("hanging", shared))) permit?.end(true);
    expect((await some(permits, 4, () => at("hanging", shared))).filter(Boolean)).toHaveLength(3);
    expect((await some(permits, 3, () => at("healthy", shared))).filter(Boolean)).toHaveLength(3);
  });

  it("to origins that timed out lately take at most half of the permits, and none waits", async () => {
    const permits = somePermits();
    for (let i = 0; i < 10; i++) (await permits.take(at(`hanging ${i}`)))?.end(true);
    const again = await Promise.all(Array.from({ length: 10 }, (_, i) => permits.begin(at(`hanging ${i}`))));
    expect(again.filter(Boolean)).toHaveLength(8);
    expect(await permits.take(at("healthy"))).toBeDefined();
    permits.pass(30_001);
    for (const slot of again) slot?.end(false);
    expect((await some(permits, 10, (i) => at(`hanging ${i}`))).filter(Boolean)).toHaveLength(10);
  });

  it("that take long count as timed out before they do", async () => {
    const permits = somePermits();
    await some(permits, 10, (i) => at(`hanging ${i}`));
    permits.pass(2_001);
    expect(await permits.begin(at("hanging 1"))).toBeUndefined();
    expect(await permits.take(at("healthy"))).toBeDefined();
  });

  it("to origins that begin to hang at the same moment leave permits to the others", async () => {
    const permits = somePermits();
    const taken = await Promise.all(Array.from({ length: 30 }, (_, i) => permits.take(at(`hanging ${i % 10}`))));
    expect(taken.filter(Boolean)).toHaveLength(10);
    expect(await permits.take(at("healthy"))).toBeDefined();
  });

  it("to an origin that responds again are not limited", async () => {
    const permits = somePermits();
    (await permits.take(at("one")))?.end(true);
    (await permits.take(at("one")))?.end(false);
    expect((await some(permits, 3, () => at("one"))).filter(Boolean)).toHaveLength(3);
  });
});
