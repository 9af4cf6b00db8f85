import { currencyExponent } from "../../shared/domain/currency.ts";
import { fromMinorUnits } from "../../shared/domain/money.ts";

/** An amount in the currency's major unit with all its decimals: `125.50 SEK`. */
export const amountText = (minor: number, currency: string): string =>
  `${fromMinorUnits(minor, currency).toFixed(currencyExponent(currency) ?? 0)} ${currency}`;
