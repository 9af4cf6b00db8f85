import * as z from "zod";
import { minorUnits } from "../../minor-units.ts";
import { proportion } from "../../money.ts";
import type { RecordOf } from "../../record.ts";

// The question for a tip on the terminal. Amounts are integer minor units of the payment's currency.

const choices = { percents: z.array(z.int()), amounts: z.array(minorUnits), custom: z.boolean() };

/** The question as the partner requested it. `custom`: the customer may also enter an amount. */
const tipQuestionRecord = z.object({ ...choices, maximumPercent: z.int() });
export interface TipQuestion extends RecordOf<typeof tipQuestionRecord> {}

/** `asked`: the terminal got the question, with a choice. */
export const tipRecord = tipQuestionRecord.extend({ asked: z.boolean() });
export interface Tip extends RecordOf<typeof tipRecord> {}

/** The question as a message has it, for one amount to pay. `maximum` is the most that the customer may add. */
export const tipChoicesRecord = z.object({ ...choices, maximum: minorUnits });
export interface TipChoices extends RecordOf<typeof tipChoicesRecord> {}

/** The ability that a terminal names if it asks for tips. */
export const ASKS_TIPS = "tips";

/** The percentage of a sale that a tip may be, rounded half up. */
export const mostOf = (sale: number, maximumPercent: number): number => proportion(sale, maximumPercent, 100);

/** The choices for an amount to pay, without the fixed amounts above its maximum. Undefined if no choice is left. */
export function tipChoices(question: TipQuestion, sale: number): TipChoices | undefined {
  const { percents, custom, maximumPercent } = question;
  const maximum = mostOf(sale, maximumPercent);
  const amounts = question.amounts.filter((amount) => amount <= maximum);
  const isLeft = maximum > 0 && (custom || percents.length > 0 || amounts.length > 0);
  return isLeft ? { percents, amounts, custom, maximum } : undefined;
}

/** The most that a terminal may take as a tip in addition to a sale. 0 if it was not asked to. */
export const maximumTip = ({ tip }: { readonly tip?: Tip | undefined }, sale: number): number =>
  tip?.asked ? mostOf(sale, tip.maximumPercent) : 0;

/** The tip in a part of an amount: the sale is taken first, then the tip. */
export const tipIn = (
  { amount, tip = 0 }: { readonly amount: number; readonly tip?: number | undefined },
  part: number,
) => Math.min(tip, Math.max(0, part - (amount - tip)));

/** Whether two payments ask for the same tips. */
export const isSameQuestion = (one: TipQuestion | undefined, other: TipQuestion | undefined): boolean =>
  contentOf(one) === contentOf(other);

const contentOf = (question: TipQuestion | undefined): string | undefined =>
  question && JSON.stringify([question.percents, question.amounts, question.custom, question.maximumPercent]);
