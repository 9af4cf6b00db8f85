import { describe, expect, it } from "vitest";
import { rateCounters } from "../../rate-counters.ts";

function countersAt(now: number) {
  const clock = { now };
  const counters = rateCounters(() => clock.now);
  const take = (key = "a") => counters.take(key, 2, 1_000);
  return { clock, take };
}

describe("a rate counter", () => {
  it("lets the window slide: each call makes room for one when it is old enough", () => {
    const { clock, take } = countersAt(5_000);
    expect(take()).toBeUndefined();
    clock.now += 600;
    expect(take()).toBeUndefined();
    expect(take()).toBe(400);
    clock.now += 400;
    expect(take()).toBeUndefined();
    expect(take()).toBe(600);
  });

  it("does not count what it refused", () => {
    const { clock, take } = countersAt(0);
    for (const _ of [1, 2, 3, 4, 5]) take();
    clock.now += 1_000;
    expect([take(), take(), take()]).toEqual([undefined, undefined, 1_000]);
  });

  it("counts each key for itself, also among very many", () => {
    const { clock, take } = countersAt(0);
    for (let key = 0; key < 11_000; key++) take(`idle ${key}`);
    clock.now += 1_000;
    take();
    take();
    expect([take(), take("b"), take("idle 1")]).toEqual([1_000, undefined, undefined]);
  });
});
