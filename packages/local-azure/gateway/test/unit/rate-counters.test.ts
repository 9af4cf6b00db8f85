import { describe, expect, it } from "vitest";
import { rateCounters } from "../../rate-counters.ts";

/** Counters with four calls a second. */
function countersAt(now: number) {
  const clock = { now };
  const counters = rateCounters(() => clock.now);
  /** The milliseconds until the next call. Undefined if this call was accepted. */
  const take = (key = "a") => {
    const taken = counters.take(key, 4, 1_000);
    return "waitMs" in taken ? taken.waitMs : undefined;
  };
  const left = (key = "a") => counters.take(key, 4, 1_000);
  return { clock, take, left };
}

describe("a rate counter", () => {
  it("says how many calls are left", () => {
    const { clock, left } = countersAt(0);
    expect([left(), left(), left(), left()]).toEqual([3, 2, 1, 0].map((remaining) => ({ remaining })));
    clock.now += 600;
    expect(left()).toEqual({ remaining: 1 });
  });

  it("lets as many calls through at once as the limit has, then one for each even part of the time", () => {
    const { clock, take } = countersAt(5_000);
    expect([take(), take(), take(), take(), take()]).toEqual([undefined, undefined, undefined, undefined, 250]);
    clock.now += 100;
    expect(take()).toBe(150);
    clock.now += 150;
    expect([take(), take()]).toEqual([undefined, 250]);
    clock.now += 500;
    expect([take(), take(), take()]).toEqual([undefined, undefined, 250]);
  });

  it("lets up to twice the limit through within the first time, and no more than the limit within later ones", () => {
    const { clock, take } = countersAt(0);
    const passed: number[] = [];
    for (; clock.now < 5_000; clock.now += 10) if (take() === undefined) passed.push(clock.now);
    const within = (from: number) => passed.filter((at) => at >= from && at < from + 1_000).length;
    expect([within(0), within(1_000), within(2_500), within(4_000)]).toEqual([7, 4, 4, 4]);
  });

  it("is full again after its time without a call, and holds no more than that", () => {
    const { clock, take } = countersAt(0);
    for (const _ of [1, 2, 3, 4, 5, 6]) take();
    clock.now += 60_000;
    expect([take(), take(), take(), take(), take()]).toEqual([undefined, undefined, undefined, undefined, 250]);
  });

  it("counts each key for itself, also among very many", () => {
    const { clock, take } = countersAt(0);
    for (let key = 0; key < 11_000; key++) take(`idle ${key}`);
    for (const _ of [1, 2, 3, 4]) take();
    clock.now += 250;
    take("idle 1");
    expect([take(), take(), take("b")]).toEqual([undefined, 250, undefined]);
  });
});
