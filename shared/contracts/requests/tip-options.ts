import * as z from "zod";
import { fromMinorUnits, MAX_MINOR_UNITS } from "../../domain/money.ts";
import { mostOf, type TipQuestion } from "../../domain/payment/record/tip.ts";
import { amount, minorUnits } from "../amount.ts";

const MOST_CHOICES = 4;

/** The question for a tip in a payment request. */
export const tipOptions = z
  .object({
    percents: z
      .array(z.int().min(1).max(100))
      .max(MOST_CHOICES)
      .default([])
      .meta({ description: "Percentages to choose from, each at most `maximumPercent`." }),
    amounts: z.array(amount).max(MOST_CHOICES).default([]).meta({
      description:
        "Amounts to choose from, in the currency's major unit. One above the maximum of this payment is not offered.",
    }),
    custom: z
      .boolean()
      .default(true)
      .meta({ description: "Whether the customer can enter an amount, up to the maximum." }),
    maximumPercent: z
      .int()
      .min(1)
      .max(100)
      .default(30)
      .meta({ description: "The most that a tip can be: this percentage of the amount to pay, rounded half up." }),
  })
  .meta({
    id: "TipOptions",
    description: "The terminal asks the customer for a tip with these choices. If absent, it does not ask.",
    examples: [{ percents: [5, 10, 15], custom: true, maximumPercent: 20 }],
  });

/** The body without a `tip` of 0 or `false`, which asks for none. `null` was removed before. */
export const withoutEmptyTip = (sent: unknown): unknown => {
  if (typeof sent !== "object" || sent === null || !("tip" in sent)) return sent;
  return sent.tip === 0 || sent.tip === false ? { ...sent, tip: undefined } : sent;
};

/** The question in minor units. Problems are added to the context. `total` is the amount to pay, in minor units. */
export function tipQuestion(
  context: z.RefinementCtx,
  { percents, amounts, custom, maximumPercent }: z.infer<typeof tipOptions>,
  { total, currency }: { readonly total: number; readonly currency: string },
): TipQuestion {
  const refuse = (path: readonly (string | number)[], code: string, message: string) =>
    context.addIssue({ code: "custom", path: ["tip", ...path], params: { code }, message });
  for (const [i, percent] of percents.entries())
    if (percent > maximumPercent)
      refuse(["percents", i], "out_of_range", `must be at most maximumPercent, which is ${maximumPercent}`);
  if (!custom && percents.length + amounts.length === 0)
    refuse([], "invalid", "must have a choice: a percentage, an amount, or custom");
  if (total + mostOf(total, maximumPercent) > MAX_MINOR_UNITS) {
    const most = `must leave room for the tip: with it, at most ${fromMinorUnits(MAX_MINOR_UNITS, currency)} can be paid`;
    refuse(["maximumPercent"], "out_of_range", most);
  }
  const fixed = amounts.map((value, i) =>
    minorUnits(context, { field: ["tip", "amounts", i], value, currency, positive: true }),
  );
  return { percents, amounts: fixed, custom, maximumPercent };
}
