import { currencyExponent } from "../../../../shared/domain/currency.ts";
import { shownMoney } from "../../../../shared/domain/money.ts";

// Formats names, amounts, times and durations for people.

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

/** Rounds before it splits, so that it never returns "1 min 60 s". */
function pair(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const smalls = Math.round(ms / small);
  const perLarge = large / small;
  const rest = smalls % perLarge;
  const whole = `${Math.floor(smalls / perLarge)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

/** "09:30:00", and "21 Nov 09:30:00" if that is another day than `now`. Both are local times. */
export function shortTime(at: number, now: number): string {
  const date = new Date(at);
  const time = date.toTimeString().slice(0, 8);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short" }).replace(" ", "\u00A0")} ${time}`;
}

/** "21 November 2026 at 10:30:00 CET". */
export const longTime = (at: number): string =>
  new Date(at).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "long" });

/** The zone of the local times, such as "Europe/Stockholm, UTC+1". */
export function zoneText(now: number): string {
  const format = new Intl.DateTimeFormat("en-GB", { timeZoneName: "shortOffset" });
  const offset = format.formatToParts(now).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const names = [format.resolvedOptions().timeZone, offset.replace(/\+0$/, "").replace("GMT", "UTC")];
  return [...new Set(names)].join(", ");
}

/** An identifier of the code as words: "cancelRequested" becomes "cancel requested". */
export const plainWords = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_]/g, " ")
    .toLowerCase();

/** The same, with a capital letter. */
export function asTitle(name: string): string {
  const words = plainWords(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1 attempt", "3 attempts". */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** The typed amount in minor units of the currency. Undefined if it is not a valid amount. */
export function minorOf(typed: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const text = typed.trim().replace(",", ".");
  if (!/^\d{1,8}(\.\d{0,4})?$/.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  if (fraction.length > digits) return undefined;
  return Number(whole + fraction.padEnd(digits, "0"));
}

/**
 * The number of decimals of a currency, from the platform's own table, because the browser's table differs. Two for an unknown currency.
 */
const digitsOf = (currency: string): number => currencyExponent(currency) ?? 2;

/** An amount in minor units, written in the major unit. */
export const majorText = (minor: number, currency: string): string => {
  const digits = digitsOf(currency);
  return (minor / 10 ** digits).toFixed(digits);
};

/**
 * An amount in minor units, in the format of every operator's tool. If the currency is unknown, it shows the minor units and the currency
 * code.
 */
export const moneyText = (minor: number, currency: string): string =>
  currencyExponent(currency) === undefined ? `${minor} ${currency}` : shownMoney(minor, currency);
