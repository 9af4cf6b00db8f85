import type { TokenValue } from "../../domain/access-token-template.ts";
import { currencyExponent } from "../../domain/currency.ts";
import { fromMinorUnits } from "../../domain/money.ts";
import type { Instant } from "../../domain/time.ts";

/** The amount or percentage that a voucher takes off a payment, in the locale's form. Whole amounts have no decimals. */
export function valueText(value: TokenValue, locale: string): string {
  if (value.kind === "percent") {
    return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }).format(value.percent / 100);
  }
  const { amount, currency } = value;
  const whole = fromMinorUnits(amount, currency);
  const digits = Number.isInteger(whole) ? 0 : currencyExponent(currency);
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  }).format(whole);
}

/** Date and time in the zone, in the locale's form. A line may break within the date and before the time, but not within the time. */
export function timeText(at: Instant, { locale, timeZone }: { locale: string; timeZone: string }): string {
  const parts = new Intl.DateTimeFormat(locale, {
    timeZone,
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).formatToParts(new Date(at));
  const hour = parts.findIndex(({ type }) => type === "hour");
  const zone = parts.findIndex(({ type }) => type === "timeZoneName");
  const isOfTime = (place: number) => place > hour && place < zone;
  return parts
    .map(({ value }, place) => (isOfTime(place) ? value.replaceAll(" ", "\u00a0") : value))
    .map((value, place) => (place === hour - 1 ? value.replace(/(\p{L}\.?) $/u, "$1\u00a0") : value)) // "klo 9.00"
    .join("");
}

/** The Unicode scripts that are written from right to left and are still in use. */
const rightToLeft = new Set(["Adlm", "Arab", "Aran", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);

export const directionOf = (locale: string): "ltr" | "rtl" =>
  rightToLeft.has(new Intl.Locale(locale).maximize().script ?? "") ? "rtl" : "ltr";

/**
 * Removes or replaces characters that are not text: control characters except line breaks, lone surrogates and noncharacters. It also
 * removes characters that change the direction of other texts.
 */
export const shownText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n]|[\u2028\u2029]|\p{NChar}/gu, " ")
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "");

/** Like `shownText`, in one line. */
export const oneLine = (text: string): string => shownText(text).replaceAll("\n", " ");
