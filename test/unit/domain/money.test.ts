import { describe, expect, it } from "vitest";
import { currencyExponent } from "../../../shared/domain/currency.ts";
import { fromMinorUnits, MAX_SUM, plus, proportion, toMinorUnits } from "../../../shared/domain/money.ts";
import { fc } from "../../support/drawn.ts";

describe("amounts in a currency's major unit", () => {
  it.each([
    [125.5, "SEK", 12_550],
    [0.1, "EUR", 10],
    [1, "JPY", 1],
    [1.234, "BHD", 1_234],
    [0.0001, "CLF", 1],
    [9_999_999_999.99, "SEK", 999_999_999_999],
    [0, "SEK", 0],
  ])("reads %d %s as %d minor units", (amount, currency, minor) => {
    expect(toMinorUnits(amount, currency)).toEqual({ ok: true, value: minor });
  });

  it.each([
    [125.555, "SEK", "too_many_decimals"],
    [0.1 + 0.2, "EUR", "too_many_decimals"],
    [1.5, "JPY", "too_many_decimals"],
    [1e-7, "SEK", "too_many_decimals"],
    [10_000_000_000, "SEK", "too_large"],
    [1e21, "JPY", "too_large"],
    [-1, "SEK", "negative"],
    [Number.NaN, "SEK", "not_a_number"],
    [1, "SEQ", "unknown_currency"],
    [1, "sek", "unknown_currency"],
  ])("refuses %d %s as %s", (amount, currency, problem) => {
    expect(toMinorUnits(amount, currency)).toEqual({ ok: false, error: problem });
  });

  it("of one payment are limited to twelve digits, and sums are as large as exact integers", () => {
    expect(toMinorUnits(10_000_000_000, "LBP", MAX_SUM)).toEqual({ ok: true, value: 1_000_000_000_000 });
    expect(toMinorUnits(9_007_199_254_740_991, "JPY", MAX_SUM)).toEqual({ ok: true, value: MAX_SUM });
    expect(toMinorUnits(9_007_199_254_740_992, "JPY", MAX_SUM)).toEqual({ ok: false, error: "too_large" });
    expect(toMinorUnits(90_071_992_547_410, "SEK", MAX_SUM)).toEqual({ ok: false, error: "too_large" });
  });

  it("are added exactly or not at all", () => {
    expect(plus(MAX_SUM - 1, 1)).toBe(MAX_SUM);
    expect(() => plus(MAX_SUM, 2)).toThrow(RangeError);
  });

  it("follows ISO's own table if ICU differs", () => {
    expect([currencyExponent("ISK"), currencyExponent("UGX"), currencyExponent("IQD")]).toEqual([0, 0, 3]);
  });

  it("converts every amount of twelve digits back exactly", () => {
    const currency = fc.constantFrom("JPY", "SEK", "KWD", "CLF");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), currency, (minor, code) => {
        expect(toMinorUnits(fromMinorUnits(minor, code), code)).toEqual({ ok: true, value: minor });
      }),
    );
  });
});

describe("a proportion", () => {
  it("is whole minor units, rounded half up, and never above the amount", () => {
    expect(proportion(2_510, 11_550, 12_550)).toBe(2_310);
    expect(proportion(1, 1, 2)).toBe(1);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (amount, part, more) => {
        const result = proportion(amount, part, part + more);
        expect(Number.isInteger(result) && result >= 0 && result <= amount).toBe(true);
      }),
    );
  });
});
