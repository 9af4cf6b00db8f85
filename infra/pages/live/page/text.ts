import { currencyExponent } from "../../../../shared/domain/currency.ts";
import { shownMoney } from "../../../../shared/domain/money.ts";

// Words, amounts and lengths of time as people read them.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds as "31 ms", "1.25 s", "5 min 3 s". */
export function lengthText(ms: number): string {
  if (ms < 1) return ms <= 0 ? "0 ms" : "< 1 ms";
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${Number((ms / 1000).toFixed(2))} s`;
  if (ms < MINUTE - 50) return `${Number((ms / 1000).toFixed(1))} s`;
  if (ms < HOUR) return pair(ms, [MINUTE, "min"], [1000, "s"]);
  return ms < 2 * DAY ? pair(ms, [HOUR, "h"], [MINUTE, "min"]) : pair(ms, [DAY, "days"], [HOUR, "h"]);
}

type Unit = readonly [ms: number, name: string];

/** Rounded before it is split, so that no "1 min 60 s" comes out. */
function pair(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const smalls = Math.round(ms / small);
  const perLarge = large / small;
  const rest = smalls % perLarge;
  const whole = `${Math.floor(smalls / perLarge)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

/** A name of the code as words: "cancelRequested" as "cancel requested". */
export const plainWords = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_]/g, " ")
    .toLowerCase();

/** The same, as the beginning of a line. */
export function asTitle(name: string): string {
  const words = plainWords(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1 attempt", "3 attempts". */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** What a person typed as minor units of the currency; undefined where it is no such amount. */
export function minorOf(typed: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const text = typed.trim().replace(",", ".");
  if (!/^\d{1,8}(\.\d{0,4})?$/.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  if (fraction.length > digits) return undefined;
  return Number(whole + fraction.padEnd(digits, "0"));
}

/** The digits behind the point of a currency's amounts, by the platform's own table: the browser's has other ones. Two where it is none. */
const digitsOf = (currency: string): number => currencyExponent(currency) ?? 2;

/** An amount of minor units in the major unit, as a person writes it. */
export const majorText = (minor: number, currency: string): string => {
  const digits = digitsOf(currency);
  return (minor / 10 ** digits).toFixed(digits);
};

/** An amount of minor units, as every operator reads it. If the currency is unknown, it shows the minor units and the letters. */
export const moneyText = (minor: number, currency: string): string =>
  currencyExponent(currency) === undefined ? `${minor} ${currency}` : shownMoney(minor, currency);
