import { describe, expect, it } from "vitest";
import { WEBHOOK_SLOTS } from "../../../shared/webhooks/http-webhooks.ts";
import host from "../../../host.json" with { type: "json" };
import { webhookSlots } from "../../../shared/webhooks/slots.ts";

const at = (partnerId: string, origin = `https://${partnerId}.example`) => ({ partnerId, origin });

function someSlots(total = 16) {
  let now = 0;
  const slots = webhookSlots({ total, now: () => now });
  return { ...slots, pass: (ms: number) => void (now += ms) };
}

describe("attempts of one instance", () => {
  it("are as many as its host takes from a queue", () => {
    expect(WEBHOOK_SLOTS).toBe(host.extensions.serviceBus.maxConcurrentCalls);
  });

  it("are three at a time to one origin; one that ends makes room for another", () => {
    const slots = someSlots();
    const [first] = [1, 2, 3].map(() => slots.take(at("one")));
    expect(slots.take(at("one"))).toBeUndefined();
    first?.end(false);
    expect(slots.take(at("one"))).toBeDefined();
    expect(slots.take(at("one"))).toBeUndefined();
  });

  it("are six at a time to all origins of a partner", () => {
    const slots = someSlots();
    for (let i = 0; i < 6; i++) expect(slots.take(at("one", `https://${i}.example`))).toBeDefined();
    expect(slots.take(at("one", "https://7.example"))).toBeUndefined();
    expect(slots.take(at("other"))).toBeDefined();
  });

  it("to origins that timed out lately take at most half of the slots", () => {
    const slots = someSlots();
    for (let i = 0; i < 10; i++) slots.take(at(`hanging ${i}`))?.end(true);
    const again = Array.from({ length: 10 }, (_, i) => slots.take(at(`hanging ${i}`)));
    expect(again.filter(Boolean)).toHaveLength(8);
    expect(slots.take(at("healthy"))).toBeDefined();
    slots.pass(30_001);
    for (const slot of again) slot?.end(false);
    for (let i = 0; i < 10; i++) expect(slots.take(at(`hanging ${i}`))).toBeDefined();
  });

  it("that take long count as timed out before they do", () => {
    const slots = someSlots();
    for (let i = 0; i < 10; i++) slots.take(at(`hanging ${i}`));
    slots.pass(2_001);
    expect(slots.take(at("hanging 1"))).toBeUndefined();
    expect(slots.take(at("healthy"))).toBeDefined();
  });

  it("to origins that begin to hang at the same moment leave slots to the others", () => {
    const slots = someSlots();
    const taken = Array.from({ length: 30 }, (_, i) => slots.take(at(`hanging ${i % 10}`))).filter(Boolean);
    expect(taken).toHaveLength(10);
    expect(slots.take(at("healthy"))).toBeDefined();
  });

  it("to an origin that responds again are not limited", () => {
    const slots = someSlots();
    slots.take(at("one"))?.end(true);
    slots.take(at("one"))?.end(false);
    for (let i = 0; i < 3; i++) expect(slots.take(at("one"))).toBeDefined();
  });
});
