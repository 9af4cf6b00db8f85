import { currencyExponent } from "./currency.ts";
import { fromMinorUnits, MAX_MINOR_UNITS, type MoneyProblem } from "./money.ts";
import { invalidField, type FieldProblem, type Refusal } from "./refusal.ts";

/** A problem that `toMinorUnits` finds, or an amount of zero if money is to move. */
type AmountProblem = MoneyProblem | "zero";

/** The problem of an amount, for its field. The limits are those of the currency, and the most minor units that the field takes. */
export function amountProblem(
  problem: AmountProblem,
  currency: string,
  most = MAX_MINOR_UNITS,
): Omit<FieldProblem, "field"> {
  switch (problem) {
    case "unknown_currency":
      return { code: "invalid", message: "must be in an ISO 4217 currency" };
    case "not_a_number":
      return { code: "wrong_type", message: "must be a number" };
    case "too_many_decimals":
      return { code: "too_many_decimals", message: decimalsOf(currency) };
    case "negative":
      return { code: "out_of_range", message: "must not be negative" };
    case "zero":
      return { code: "out_of_range", message: "must be above zero" };
    case "too_large":
      return { code: "out_of_range", message: `must be at most ${fromMinorUnits(most, currency)}` };
  }
}

/** Refuses the amount of a field. */
export function invalidAmount(field: string, problem: AmountProblem, currency: string): Refusal<"validation_failed"> {
  const { code, message } = amountProblem(problem, currency);
  return invalidField(field, code, message);
}

/** Why an amount in another currency is refused. */
export const inCurrency = (currency: string): string => `The payment is in ${currency}.`;

function decimalsOf(currency: string): string {
  const exponent = currencyExponent(currency) ?? 0;
  return exponent === 0
    ? `must have no decimals: ${currency} has none`
    : `must have at most ${exponent} decimals, as ${currency} has`;
}
