import { z } from "zod";
import { currencyExponent } from "../domain/currency.ts";
import { toMinorUnits, type MoneyProblem } from "../domain/money.ts";

/** A JSON number in the currency's major unit, `125.5` for 125 kronor and 50 öre. (Decision 6) */
export const amount = z
  .number()
  .meta({ minimum: 0, description: "In the currency's major unit: `125.5` is 125 kronor and 50 öre." });

export const currency = z
  .string()
  .refine((code) => currencyExponent(code) !== undefined, "must be an ISO 4217 code")
  .meta({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code." });

const said: Record<MoneyProblem, string> = {
  unknown_currency: "must be in an ISO 4217 currency",
  not_a_number: "must be a number",
  too_many_decimals: "has more decimals than the currency",
  negative: "must not be negative",
  too_large: "must have at most 12 digits of minor units",
};

/** The field's amount in minor units; a problem is added to the context under the field's name. */
export function minorUnits(
  context: z.RefinementCtx,
  field: string,
  value: number,
  code: string,
  rules: { readonly positive: boolean },
): number {
  const minor = toMinorUnits(value, code);
  const problem = !minor.ok
    ? said[minor.error]
    : rules.positive && minor.value === 0
      ? "must be above zero"
      : undefined;
  if (problem !== undefined) context.addIssue({ code: "custom", path: [field], message: problem });
  return minor.ok ? minor.value : 0;
}
