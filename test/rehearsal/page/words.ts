import { moneyText } from "../../../infra/local/live/page/text.ts";
import type { TroubleName } from "../trouble-names.ts";

/** What a trouble is for readers who do not know the platform's parts. */
interface Words {
  readonly title: string;
  readonly done: string;
  /** What a shop may notice of it at most. */
  readonly noticed: string;
}

export const troubleWords: Readonly<Record<TroubleName, Words>> = {
  "tables-away": {
    title: "The database was away",
    done: "Every connection to the database in which payments are stored was cut, and new ones were refused.",
    noticed: "Tills wait with new payments until it is back. Payments that were confirmed before go on by themselves.",
  },
  "bus-silent": {
    title: "The message queues fell silent",
    done: "The queues that carry work between the parts of the platform stopped responding, as if their machine hung.",
    noticed: "Tills wait with new payments until the queues respond. What was confirmed before is done afterwards.",
  },
  kill: {
    title: "Servers lost their power",
    done: "One of the two servers, or both at once, was switched off in the middle of its work, again and again.",
    noticed: "A till that gets no response repeats its request, and the customer is charged once all the same.",
  },
  "hanging-partner": {
    title: "Shops’ computers hung",
    done: "The computers of one in three shops took the platform’s notices and did not respond to them.",
    noticed: "Their notices are sent again later. The other shops are not kept waiting: the waits below are theirs.",
  },
  "imperfect-terminals": {
    title: "Card terminals made mistakes",
    done: "One in three terminals charged cards twice or by another amount, reported late or twice, or forgot what it had done. Any of them could lose its power.",
    noticed: "Money that was taken by mistake is given back, or a person is called who has it corrected.",
  },
  "two-versions": {
    title: "Two versions ran side by side",
    done: "One of the two servers changed to another version of the software and back, while payments went on.",
    noticed: "Nothing: each version reads what the other one writes.",
  },
};

/** The states in which a payment ends, in the order in which they are shown. */
export const stateWords: Readonly<Record<string, string>> = {
  captured: "paid",
  authorized: "approved, and not collected yet",
  voided: "approved, and let go",
  declined: "declined",
  cancelled: "cancelled",
  expired: "not begun in time",
  failed: "failed at the terminal",
};

/** What the comparison of all logs holds the platform to. */
export const promises: readonly string[] = [
  "Every payment that a till was confirmed is in the books, once.",
  "Every charge, every refund and the total are in the books as on the cards, to the smallest unit of the currency.",
  "Each shop’s daily file adds up to the books, and its lines are what the cards moved, each on the day that the terminal named.",
  "A terminal’s day was closed only where the terminal’s own count is that of the books; for every other day a person was called.",
  "No terminal was sent anything that the books do not hold.",
  "The history of each payment has no gap, and leads to the state in which the payment is.",
  "Every notice to a shop arrived, was signed, and always said the same.",
  "No voucher was spent twice, or taken for nothing.",
  "Nothing was left behind: no message that was not delivered, and no order that is held for nothing.",
  "A person was called only where a terminal had made a mistake, or where an outcome could not be known for long.",
];

const numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** A small number as a word. */
export const numberWord = (count: number): string => numbers[count] ?? grouped(count);

/** A number with commas between its thousands. */
export const grouped = (count: number): string => new Intl.NumberFormat("en").format(count);

/** An amount of minor units without its currency, for a table that names it once. */
export const bareAmount = (minor: number, currency: string): string =>
  moneyText(minor, currency).replace(/[A-Z]{3}\s/, "");

/** Seconds since the day began, as `1:05`. */
export const clockText = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};
