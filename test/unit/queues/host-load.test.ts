import { InvocationContext } from "@azure/functions";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { busyEventLoop, hostLoad } from "../../../shared/queues/host-load.ts";

/** A host with one queue; the event loop is busy if the test says so. */
function aHost(isLoopBusy = true) {
  let now = Date.parse("2026-01-01T12:00:00.000Z");
  const load = hostLoad(
    () => now,
    () => isLoopBusy,
  );
  const worker = load.watched(async () => "handled");
  return {
    isBusy: () => load.isBusy(),
    pass: (ms: number) => void (now += ms),
    /** A message arrives after this waiting time. */
    async comes(waitedMs: number) {
      const enqueuedTimeUtc = new Date(now - waitedMs).toISOString();
      return worker({}, new InvocationContext({ triggerMetadata: { enqueuedTimeUtc } }));
    },
  };
}

describe("a host is busy", () => {
  it("if its event loop is hardly ever idle and each message of a queue has waited", async () => {
    const host = aHost();
    for (const waited of [400, 150]) await host.comes(waited);
    host.pass(110);
    expect(host.isBusy()).toBe(true);
  });

  it("but not for one old message among others, which may be a redelivery", async () => {
    const host = aHost();
    for (const waited of [30_000, 5]) await host.comes(waited);
    host.pass(110);
    expect(host.isBusy()).toBe(false);
  });

  it("but not while the event loop is idle: a queue also waits for unavailable dependencies", async () => {
    const host = aHost(false);
    await host.comes(400);
    host.pass(110);
    expect(host.isBusy()).toBe(false);
  });

  it("but no longer once nothing comes", async () => {
    const host = aHost();
    await host.comes(400);
    host.pass(110);
    expect(host.isBusy()).toBe(true);
    host.pass(250);
    expect(host.isBusy()).toBe(false);
  });

  it("but not because of a message whose time cannot be read, nor after the clock was set back", async () => {
    const host = aHost();
    await host.comes(Number.NaN).catch(() => {});
    await host.comes(400);
    host.pass(-3_600_000);
    expect(host.isBusy()).toBe(true);
    host.pass(250);
    expect(host.isBusy()).toBe(false);
  });
});

it("a worker's messages reach it unchanged", async () => {
  expect(await aHost().comes(10)).toBe("handled");
});

it("an event loop that is never idle is busy, and a waiting one is not", async () => {
  const isBusy = busyEventLoop();
  const until = performance.now() + 150;
  while (performance.now() < until);
  await turnOfEventLoop();
  expect(isBusy()).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isBusy()).toBe(false);
});
