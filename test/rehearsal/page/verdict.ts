import { counted, moneyText } from "../../../infra/local/live/page/text.ts";
import type { Money, Rehearsal } from "../record.ts";
import { grouped, numberWord } from "./words.ts";

/** `kept`: the promises were kept. `broken`: one was not. `unproven`: the run shows neither. */
interface Verdict {
  readonly kind: "kept" | "broken" | "unproven";
  readonly headline: string;
}

/** The result in one sentence. */
export function verdictOf({ broken, unproven }: Rehearsal): Verdict {
  if (broken.length > 0)
    return {
      kind: "broken",
      headline: `${counted(broken.length, "promise")} ${broken.length === 1 ? "was" : "were"} broken.`,
    };
  if (unproven !== undefined) return { kind: "unproven", headline: "This run proves nothing." };
  return { kind: "kept", headline: "No payment was lost, doubled or guessed." };
}

/** The result in a few sentences, for readers who read no further. */
export function summaryOf(record: Rehearsal): readonly string[] {
  const { wanted, troubles, unproven, quietAfter, money, isEndedEarly } = record;
  return [
    ...(unproven === undefined ? [] : [unproven]),
    `${counted(wanted.terminals, "card terminal")} took ${grouped(paymentsIn(record))} payments in ${minutesText(record)}, while ${goneWrong(troubles.length)}.`,
    ...(isEndedEarly && unproven === undefined
      ? ["It was ended before its time; what had happened by then was judged."]
      : []),
    ...(money === undefined ? [] : moneySentences(money)),
    ...(quietAfter === null
      ? []
      : [
          `Within ${counted(Math.ceil(quietAfter), "second")} after the last payment had begun, the platform had nothing left to do.`,
        ]),
  ];
}

/** The payments that the platform confirmed. */
export const paymentsIn = ({ over }: Rehearsal): number => over.parts.reduce((sum, { payments }) => sum + payments, 0);

const minutesText = ({ seconds }: Rehearsal): string =>
  seconds < 90 ? `${Math.round(seconds)} seconds` : counted(Number((seconds / 60).toFixed(1)), "minute");

const goneWrong = (count: number): string =>
  count === 1 ? "one thing went wrong on purpose" : `${numberWord(count)} things went wrong on purpose`;

function moneySentences(money: Money): readonly string[] {
  const { books, cards, currency, explained, unexplained } = money;
  const [inBooks, onCards] = [books.kept, cards.kept];
  const both = `${moneyText(inBooks, currency)} in the books, ${moneyText(onCards, currency)} on the cards`;
  const causes = explained.reduce((sum, { payments }) => sum + payments, 0);
  const isEqual = inBooks === onCards && causes === 0 && unexplained.length === 0;
  return [
    isEqual
      ? `Books and cards agree: the shops have ${moneyText(inBooks, currency)} by both.`
      : `The shops have ${both}.`,
    ...(causes === 0
      ? []
      : [`In ${counted(causes, "payment")} the two differ for a reason that is known and named below.`]),
    ...(unexplained.length === 0
      ? []
      : [`In ${counted(unexplained.length, "payment")} the two differ, and nothing names a reason.`]),
  ];
}
