import { describe, expect, it } from "vitest";
import host from "../../../host.json" with { type: "json" };
import { WEBHOOK_PERMITS, webhookBulkhead } from "../../../shared/webhooks/bulkhead.ts";

const at = (partnerId: string, origin = `https://${partnerId}.example`) => ({ partnerId, origin });

function somePermits(total = 16) {
  let now = 0;
  const permits = webhookBulkhead({ total, now: () => now });
  return { ...permits, pass: (ms: number) => void (now += ms) };
}

describe("attempts of one instance", () => {
  it("are as many as its host takes from a queue", () => {
    expect(WEBHOOK_PERMITS).toBe(host.extensions.serviceBus.maxConcurrentCalls);
  });

  it("are three at a time to one origin; one that ends makes room for another", () => {
    const permits = somePermits();
    const [first] = [1, 2, 3].map(() => permits.take(at("one")));
    expect(permits.take(at("one"))).toBeUndefined();
    first?.end(false);
    expect(permits.take(at("one"))).toBeDefined();
    expect(permits.take(at("one"))).toBeUndefined();
  });

  it("are six at a time to all origins of a partner", () => {
    const permits = somePermits();
    for (let i = 0; i < 6; i++) expect(permits.take(at("one", `https://${i}.example`))).toBeDefined();
    expect(permits.take(at("one", "https://7.example"))).toBeUndefined();
    expect(permits.take(at("other"))).toBeDefined();
  });

  it("of a partner to a server that hangs leave another partner's attempts to the same server alone", () => {
    const permits = somePermits();
    const shared = "https://hooks.example";
    for (let i = 0; i < 3; i++) permits.take(at("hanging", shared))?.end(true);
    for (let i = 0; i < 3; i++) expect(permits.take(at("hanging", shared))).toBeDefined();
    expect(permits.take(at("hanging", shared))).toBeUndefined();
    for (let i = 0; i < 3; i++) expect(permits.take(at("healthy", shared))).toBeDefined();
  });

  it("to origins that timed out lately take at most half of the permits", () => {
    const permits = somePermits();
    for (let i = 0; i < 10; i++) permits.take(at(`hanging ${i}`))?.end(true);
    const again = Array.from({ length: 10 }, (_, i) => permits.take(at(`hanging ${i}`)));
    expect(again.filter(Boolean)).toHaveLength(8);
    expect(permits.take(at("healthy"))).toBeDefined();
    permits.pass(30_001);
    for (const slot of again) slot?.end(false);
    for (let i = 0; i < 10; i++) expect(permits.take(at(`hanging ${i}`))).toBeDefined();
  });

  it("that take long count as timed out before they do", () => {
    const permits = somePermits();
    for (let i = 0; i < 10; i++) permits.take(at(`hanging ${i}`));
    permits.pass(2_001);
    expect(permits.take(at("hanging 1"))).toBeUndefined();
    expect(permits.take(at("healthy"))).toBeDefined();
  });

  it("to origins that begin to hang at the same moment leave permits to the others", () => {
    const permits = somePermits();
    const taken = Array.from({ length: 30 }, (_, i) => permits.take(at(`hanging ${i % 10}`))).filter(Boolean);
    expect(taken).toHaveLength(10);
    expect(permits.take(at("healthy"))).toBeDefined();
  });

  it("to an origin that responds again are not limited", () => {
    const permits = somePermits();
    permits.take(at("one"))?.end(true);
    permits.take(at("one"))?.end(false);
    for (let i = 0; i < 3; i++) expect(permits.take(at("one"))).toBeDefined();
  });
});
