import { describe, expect, it } from "vitest";
import { nextAttemptAfter } from "../../../shared/adapters/webhooks/retry-schedule.ts";

const HOUR = 3600;
const middle = 0.5;
const delays = [5, 30, 120, 600, HOUR, 3 * HOUR, 8 * HOUR, 24 * HOUR, 48 * HOUR, 72 * HOUR];

describe("nextAttemptAfter", () => {
  it("waits longer after every failed attempt, from 5 s to 72 h", () => {
    expect(delays.map((_, i) => nextAttemptAfter(i + 1, middle))).toEqual(delays);
  });

  it("ends after the eleventh attempt, even with a Retry-After", () => {
    expect(nextAttemptAfter(10, middle)).toBe(72 * HOUR);
    expect(nextAttemptAfter(11, middle)).toBeUndefined();
    expect(nextAttemptAfter(11, middle, 60)).toBeUndefined();
  });

  it("spreads the attempts by up to 10 % either way", () => {
    expect(nextAttemptAfter(4, 0)).toBeCloseTo(540, 6);
    expect(nextAttemptAfter(4, 1)).toBeCloseTo(660, 6);
  });

  it("waits as long as a longer Retry-After, but at most 24 h", () => {
    expect(nextAttemptAfter(1, middle, 90)).toBe(90);
    expect(nextAttemptAfter(1, middle, 1_000_000)).toBe(24 * HOUR);
  });

  it("does not shorten a pause for a shorter Retry-After", () => {
    expect(nextAttemptAfter(5, middle, 1)).toBe(HOUR);
    expect(nextAttemptAfter(9, middle, 1_000_000)).toBe(48 * HOUR);
  });
});
