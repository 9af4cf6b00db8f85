import * as z from "zod";
import { currencyExponent } from "../domain/currency.ts";
import { amountProblem } from "../domain/amount-problem.ts";
import { toMinorUnits } from "../domain/money.ts";

/** A JSON number in the currency's major unit. 125 kronor and 50 öre are `125.5`. (API behaviour 6) */
export const amount = z
  .number()
  .meta({ minimum: 0, description: "In the currency's major unit: `125.5` is 125 kronor and 50 öre." });

export const currency = z
  .string()
  .refine((code) => currencyExponent(code) !== undefined, "must be an ISO 4217 code such as SEK")
  .meta({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code." });

/** A field's amount as it was sent, in the major unit of its currency. */
interface SentAmount {
  /** Its name, or its path in the body. */
  readonly field: string | (string | number)[];
  readonly value: number;
  readonly currency: string;
  readonly positive: boolean;
  /** The most minor units. If absent, the limit of a single amount applies. */
  readonly most?: number;
}

/** Returns the field's amount in minor units. A problem is added to the context under the field's name. */
export function minorUnits(context: z.RefinementCtx, { field, value, currency, positive, most }: SentAmount): number {
  const minor = toMinorUnits(value, currency, most);
  if (minor.ok && (minor.value > 0 || !positive)) return minor.value;
  const { code, message } = amountProblem(minor.ok ? "zero" : minor.error, currency, most);
  context.addIssue({ code: "custom", path: [field].flat(), params: { code }, message });
  return 0;
}
