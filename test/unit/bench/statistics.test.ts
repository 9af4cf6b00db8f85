import { describe, expect, it } from "vitest";
import { median, percentile, ratioOf, ratioText } from "../../bench/statistics.ts";

describe("a percentile", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);

  it.each([
    [0, 1],
    [50, 50],
    [95, 95],
    [99, 99],
    [100, 100],
  ])("of %i percent is the value of that rank, whatever the order", (percent, value) => {
    expect(percentile(hundred, percent)).toBe(value);
  });

  it("is the next higher rank where the share of the values is not whole", () => {
    expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 95)).toBe(10);
    expect(percentile([1, 2, 3], 50)).toBe(2);
  });

  it("compares numbers, not what they look like", () => {
    expect(percentile([9, 10, 100], 100)).toBe(100);
  });

  it("of one value is that value, and of none is no number", () => {
    expect(percentile([7], 95)).toBe(7);
    expect(median([])).toBeNaN();
  });
});

it("the median of an even number of values lies half way between the middle two", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([9, 10, 100])).toBe(10);
});

describe("a ratio with its spread", () => {
  it("compares each value with the one that was measured beside it", () => {
    expect(ratioOf([1, 20, 300], [2, 20, 100])).toEqual({ ratio: 1, from: 0.5, to: 3 });
    expect(ratioText(ratioOf([1, 20, 300], [2, 20, 100]))).toBe("1.00 (0.50 to 3.00)");
  });

  it.each([
    [[1, 2], [1]],
    [[], []],
  ])("of values that do not pair is refused: %j beside %j", (values, beside) => {
    expect(() => ratioOf(values, beside)).toThrow("do not pair");
  });
});
