import type { OutcomeView } from "../../../views/resolve.ts";
import { majorText, minorOf } from "../../text.ts";

/** An operator's word while it is typed. */
export interface Draft {
  readonly chosen: OutcomeView | undefined;
  /** In the major unit; empty if the operator names none. */
  readonly amount: string;
  readonly by: string;
  readonly why: string;
  readonly note: string;
  readonly businessDay: string;
}

export const emptyDraft: Draft = {
  chosen: undefined,
  amount: "",
  by: "",
  why: "",
  note: "",
  businessDay: "",
};

/** The word as the page's server takes it. Throws a sentence for a draft that says nothing, and for an amount that is none. */
export function wordOf({ chosen, amount, ...remarks }: Draft, currency: string): object {
  if (!chosen) throw new Error("Choose what the acquirer's records say.");
  const given = Object.entries(remarks).map(([name, text]) => [name, text.trim() || undefined]);
  const paid = isPaid(chosen) ? { amount: majorOf(amount, currency) } : {};
  return { ...chosen.said, ...paid, ...Object.fromEntries(given) };
}

/** Whether the outcome has an amount. */
export const isPaid = (chosen: OutcomeView | undefined): boolean => chosen?.said["outcome"] === "paid";

function majorOf(typed: string, currency: string): number | undefined {
  if (typed.trim() === "") return undefined;
  const minor = minorOf(typed, currency);
  if (minor === undefined) throw new Error(`“${typed.trim()}” is not an amount in ${currency}.`);
  return Number(majorText(minor, currency));
}
