import { currencyExponent } from "./currency.ts";
import { ok, refuse, type Result } from "./result.ts";

/** ISO 8583 carries an amount in twelve digits of minor units. */
export const MAX_MINOR_UNITS = 999_999_999_999;

/** The largest sum of amounts that is counted exactly. */
export const MAX_SUM = Number.MAX_SAFE_INTEGER;

export type MoneyProblem = "unknown_currency" | "not_a_number" | "too_many_decimals" | "negative" | "too_large";

/**
 * A JSON number in the currency's major unit (`125.5` SEK) as integer minor units (`12550`). It reads the number's own
 * decimal digits: nothing is multiplied or rounded in floating point. (API behaviour 6)
 *
 * @param most the largest amount, in minor units; `MAX_SUM` at most
 */
export function toMinorUnits(amount: number, currency: string, most = MAX_MINOR_UNITS): Result<number, MoneyProblem> {
  const exponent = currencyExponent(currency);
  if (exponent === undefined) return refuse("unknown_currency");
  if (amount < 0) return refuse("negative");
  const digits = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(amount));
  if (!digits) return refuse("not_a_number");
  const [, whole = "0", decimals = "", power] = digits;
  if (power !== undefined) return refuse(power.startsWith("-") ? "too_many_decimals" : "too_large");
  return decimals.length > exponent
    ? refuse("too_many_decimals")
    : bounded(whole + decimals.padEnd(exponent, "0"), most);
}

const bounded = (digits: string, most: number): Result<number, MoneyProblem> =>
  Number(digits) > most ? refuse("too_large") : ok(Number(digits));

/** Adds minor units. Throws `RangeError` for a sum above `MAX_SUM`, which would be rounded. */
export function plus(one: number, other: number): number {
  const sum = one + other;
  if (!Number.isSafeInteger(sum)) throw new RangeError("a sum of money is too large to be exact");
  return sum;
}

/**
 * Integer minor units as a JSON number in the currency's major unit, by moving the decimal point in the digits. It is exact up to 15
 * digits. Above that, a double cannot hold every amount with decimals, so the nearest number is returned. Throws if the currency is unknown
 * or the amount is not a safe integer.
 */
export function fromMinorUnits(minor: number, currency: string): number {
  const exponent = currencyExponent(currency);
  if (exponent === undefined || !Number.isSafeInteger(minor)) throw new Error(`not an amount in ${currency}`);
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0");
  const point = digits.length - exponent;
  return Number(`${minor < 0 ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point) || "0"}`);
}

/**
 * Minor units for an operator to read, in the currency's major unit with all its decimals: `125.50 SEK`. Throws as `fromMinorUnits` does.
 */
export const shownMoney = (minor: number, currency: string): string =>
  `${fromMinorUnits(minor, currency).toFixed(currencyExponent(currency) ?? 0)} ${currency}`;

/** `part` of `whole` applied to `amount`, rounded half up, in integers throughout. VAT shrinks this way with a discount. */
export function proportion(amount: number, part: number, whole: number): number {
  if (whole === 0) return 0;
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
}
