import { describe, expect, it } from "vitest";
import { asTitle, counted, lengthText, majorText, minorOf, moneyText, shortTime } from "../../../live/page/text.ts";
import { currencyExponent } from "../../../../../shared/domain/currency.ts";
import { fromMinorUnits } from "../../../../../shared/domain/money.ts";

describe("the page's words", () => {
  it("write a duration with at most two units", () => {
    const lengths = [
      0, 0.4, 31.4, 999.4, 999.6, 1_250, 9_996, 59_949, 59_960, 303_000, 3_599_700, 11_100_000, 262_800_000,
    ];
    expect(lengths.map(lengthText)).toEqual([
      "0 ms",
      "< 1 ms",
      "31 ms",
      "999 ms",
      "1 s",
      "1.25 s",
      "10 s",
      "59.9 s",
      "1 min",
      "5 min 3 s",
      "60 min",
      "3 h 5 min",
      "3 days 1 h",
    ]);
  });

  it("write the local time, and its day if that is not today", () => {
    const at = new Date(2026, 10, 21, 7, 13, 43).getTime();
    expect(shortTime(at, new Date(2026, 10, 21, 23, 59).getTime())).toBe("07:13:43");
    expect(shortTime(at, new Date(2026, 10, 22, 0, 0).getTime())).toBe("21\u00A0Nov 07:13:43");
  });

  it("write a name of the code in plain words, and a number of things", () => {
    expect(asTitle("reversalFailed")).toBe("Reversal failed");
    expect([counted(0, "event"), counted(1, "event"), counted(3, "event")]).toEqual([
      "0 events",
      "1 event",
      "3 events",
    ]);
  });

  it("read an amount as minor units without rounding, and nothing else", () => {
    expect(["125.50", "125,5", " 7 ", "0"].map((text) => minorOf(text, "SEK"))).toEqual([12_550, 12_550, 700, 0]);
    expect(["", "-1", "1.234", "1e3", "12.5.0", "abc", "999999999"].map((text) => minorOf(text, "SEK"))).toEqual(
      Array.from({ length: 7 }, () => undefined),
    );
    expect([minorOf("500", "JPY"), minorOf("1.5", "JPY"), minorOf("1.234", "KWD")]).toEqual([500, undefined, 1_234]);
    expect(minorOf("1.5", "<b>")).toBe(150);
  });

  it.each([
    [12_550, "SEK", "125.50", "125.50 SEK"],
    [1_250, "JPY", "1250", "1250 JPY"],
    [125_500, "KWD", "125.500", "125.500 KWD"],
    [12_550, "HUF", "125.50", "125.50 HUF"], // browsers show it without decimals, but ISO 4217 has two
    [12_345, "IQD", "12.345", "12.345 IQD"],
    [999_999_999_999, "EUR", "9999999999.99", "9999999999.99 EUR"],
  ])("write %i minor units of %s as the platform counts them", (minor, currency, major, money) => {
    expect(majorText(minor, currency)).toBe(major);
    expect(moneyText(minor, currency)).toBe(money);
    expect(majorText(minor, currency)).toBe(fromMinorUnits(minor, currency).toFixed(currencyExponent(currency)));
  });
});
