import { z } from "zod";
import { currencyExponent } from "../domain/currency.ts";
import { toMinorUnits, type MoneyProblem } from "../domain/money.ts";

/** A JSON number in the currency's major unit, `125.5` for 125 kronor and 50 öre. (API behaviour 6) */
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

/** A field's amount as it was sent, in the major unit of its currency. */
interface SentAmount {
  readonly field: string;
  readonly value: number;
  readonly currency: string;
  readonly positive: boolean;
}

/** The field's amount in minor units. A problem is added to the context under the field's name. */
export function minorUnits(context: z.RefinementCtx, { field, value, currency, positive }: SentAmount): number {
  const minor = toMinorUnits(value, currency);
  const refuse = (message: string) => context.addIssue({ code: "custom", path: [field], message });
  if (!minor.ok) {
    refuse(said[minor.error]);
    return 0;
  }
  if (positive && minor.value === 0) refuse("must be above zero");
  return minor.value;
}
