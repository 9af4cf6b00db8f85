import { describe, expect, it } from "vitest";
import { after } from "../../../shared/domain/time.ts";
import { heartbeats } from "../../../shared/use-cases/terminals/heartbeats.ts";
import { fetchNext } from "../../support/a-payment.ts";
import { aPlatform, terminalId } from "../../support/platform.ts";

const now = "2026-11-21T10:00:00.000Z";

describe("a terminal's heartbeat", () => {
  it("is written with its battery by the first poll that a process sees, and again once it is thirty seconds old", async () => {
    const platform = await aPlatform();
    const { terminals } = platform.deps;
    const writes: string[] = [];
    const seen = {
      ...terminals,
      seen: async (...[, at, battery]: Parameters<typeof terminals.seen>) => void writes.push(`${at} ${battery}`),
    };
    const poll = (batteryPercent?: number) =>
      fetchNext({ ...platform, deps: { ...platform.deps, terminals: seen } }, terminalId, { batteryPercent });
    await poll(87);
    await platform.pass(29.999);
    await poll();
    expect(writes).toEqual([`${now} 87`]);
    await platform.pass(0.001);
    await poll();
    expect(writes).toEqual([`${now} 87`, `${after(now, 30)} undefined`]);
  });

  it("is written again after a failed write", async () => {
    const platform = await aPlatform();
    const { terminals } = platform.deps;
    const seen = { ...terminals, seen: async () => Promise.reject(new Error("away")) };
    await expect(fetchNext({ ...platform, deps: { ...platform.deps, terminals: seen } })).rejects.toThrow("away");
    await platform.pass(5);
    await fetchNext(platform);
    expect((await terminals.find(terminalId))?.lastSeenAt).toBe(after(now, 5));
  });

  it("is due at once if the clock was set back, or too many other terminals polled since", () => {
    const beats = heartbeats(30, 2);
    for (const id of ["a", "b", "c"]) beats.written(id, now);
    expect(["a", "b", "c"].map((id) => beats.dueIn(id, now))).toEqual([0, 30_000, 30_000]);
    expect(beats.dueIn("c", after(now, -1))).toBe(0);
  });
});
