import { describe, expect, it } from "vitest";
import { timeScale } from "../../../live/page/views/payments/time-scale.ts";

const START = Date.UTC(2026, 10, 21, 9, 30);
const spans = (...spans: readonly (readonly [from: number, to: number])[]) =>
  spans.map(([from, to]) => ({ from: START + from, to: START + to }));
const moments = (...times: readonly number[]) => spans(...times.map((ms) => [ms, ms] as const));

describe("the time scale of the swim lanes", () => {
  it("draws milliseconds of work and seconds of waiting in one picture, the work on one scale", () => {
    const scale = timeScale(spans([0, 30], [25, 45], [3_000, 3_030], [3_020, 3_045]), 800);
    expect(scale.cuts.map(({ ms }) => ms)).toEqual([2_955]);
    const [first, second] = [scale.x(START + 30) - scale.x(START), scale.x(START + 3_030) - scale.x(START + 3_000)];
    expect(first).toBeCloseTo(second);
    expect(first).toBeGreaterThan(100);
    expect(scale.width).toBe(800);
  });

  it("cuts out hours between attempts, and keeps every attempt apart", () => {
    const attempts = [0, 5_000, 35_000, 155_000, 755_000, 4_355_000, 15_155_000];
    const scale = timeScale(spans(...attempts.map((ms) => [ms, ms + 20] as const)), 700);
    expect(scale.cuts).toHaveLength(attempts.length - 1);
    const places = attempts.map((ms) => scale.x(START + ms));
    const gaps = places.slice(1).map((x, i) => x - (places[i] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(40);
  });

  it("puts every time after the previous one, even within a cut", () => {
    const scale = timeScale(spans([0, 40], [9_000, 9_020], [9_000, 600_000]), 500);
    const times = Array.from({ length: 2_000 }, (_, i) => scale.x(START + i * 300));
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(times.at(-1)).toBeLessThanOrEqual(scale.width);
  });

  it("cuts a wait out of a bar that spans it, and no work, however long it is compared with the rest", () => {
    expect(timeScale(spans([0, 10], [5, 800], [5, 90_000], [90_000, 90_010]), 800).cuts.map(({ ms }) => ms)).toEqual([
      89_200,
    ]);
  });

  it("does not cut work that is dense, nor a single moment", () => {
    expect(timeScale(moments(...Array.from({ length: 200 }, (_, i) => i * 20)), 800).cuts).toEqual([]);
    const moment = timeScale(moments(5), 800);
    expect(moment.cuts).toEqual([]);
    expect(moment.x(START + 5)).toBeGreaterThan(0);
    expect(moment.x(START + 5)).toBeLessThan(800);
    expect(timeScale([], 800).width).toBe(800);
  });

  it("labels the time of each piece, and never writes one time over another", () => {
    const { ticks } = timeScale(spans([0, 230], [3_000, 3_400], [65_000, 65_010], [10, 64_000]), 900);
    expect(ticks.filter(({ isFirst }) => isFirst).map(({ label }) => label)).toEqual([
      "0",
      "3 s",
      "1 min 4 s",
      "1 min 5 s",
    ]);
    const gaps = ticks.slice(1).map(({ x }, i) => x - (ticks[i]?.x ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(44);
  });
});
