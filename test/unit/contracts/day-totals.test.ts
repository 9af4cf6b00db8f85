import { describe, expect, it } from "vitest";
import { dayTotalsBody } from "../../../shared/contracts/requests/day-totals.ts";
import { currencyExponent } from "../../../shared/domain/currency.ts";
import { fromMinorUnits, MAX_SUM } from "../../../shared/domain/money.ts";
import { DoubtfulJson, parseStrictJson } from "../../../shared/edge/http/strict-json.ts";
import { fc } from "../../support/drawn.ts";

const id = "dddddddd-0000-4000-8000-000000000001";

/** Reads a body whose sum of captures is this text. */
const readBody = (captured: string, currency: string) =>
  dayTotalsBody.safeParse(
    parseStrictJson(
      `{"closingID":"${id}","businessDay":"2026-11-21","totals":[{"currency":"${currency}","captures":1,"captured":${captured},"refunds":0,"refunded":0,"reversals":0,"reversed":0}]}`,
    ),
  );

/** Minor units in the notation of a terminal that counts in decimals. */
function majorText(minor: number, currency: string): string {
  const exponent = currencyExponent(currency) ?? 0;
  const digits = String(minor).padStart(exponent + 1, "0");
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

const currency = fc.constantFrom("JPY", "SEK", "LBP", "KWD", "CLF");
const sumOf = (text: string, of: string) => readBody(text, of).data?.totals[0]?.capture.amount;

describe("the sums of a terminal's day", () => {
  it("are read exactly, or refused as numbers that no double can hold", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), currency, (minor, code) => {
        try {
          const read = sumOf(majorText(minor, code), code);
          expect(read).toBe(minor);
          expect(sumOf(JSON.stringify(fromMinorUnits(minor, code)), code)).toBe(minor);
        } catch (error) {
          expect(error).toBeInstanceOf(DoubtfulJson);
          expect(minor).toBeGreaterThan(999_999_999_999_999);
        }
      }),
    );
  });

  it.each([
    ["9007199254740991", "JPY", MAX_SUM],
    ["10000000000", "LBP", 1_000_000_000_000],
    ["90071992547409.9", "SEK", 9_007_199_254_740_990],
  ])("are accepted beyond the twelve digits of one amount: %s %s", (text, code, minor) => {
    expect(sumOf(text, code)).toBe(minor);
  });

  it.each([
    ["9007199254740992", "JPY", "must be at most 9007199254740991"],
    ["90071992547410", "SEK", "must be at most 90071992547409.9"],
  ])("are refused above the largest exact sum: %s %s", (text, code, message) => {
    expect(readBody(text, code).error?.issues).toMatchObject([{ path: ["totals", 0, "captured"], message }]);
  });
});
