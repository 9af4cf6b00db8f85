import type { OutcomeView } from "../../../views/resolve.ts";
import { majorText, minorOf } from "../../text.ts";

/** An operator's decision while it is typed. */
export interface Draft {
  readonly chosen: OutcomeView | undefined;
  /** In the major unit. Empty if the operator names no amount. */
  readonly amount: string;
  /** The same for the tip in the amount. */
  readonly tip: string;
  readonly by: string;
  readonly why: string;
  readonly note: string;
  readonly businessDay: string;
  /** The acquirer's reference of money that was returned outside. */
  readonly reference: string;
}

export const emptyDraft: Draft = {
  chosen: undefined,
  amount: "",
  tip: "",
  by: "",
  why: "",
  note: "",
  businessDay: "",
  reference: "",
};

/**
 * The decision in the form that the page's server accepts. Throws an error for the operator if no outcome is chosen, or if the amount is
 * invalid.
 */
export function wordOf({ chosen, amount, tip, businessDay, reference, ...remarks }: Draft, currency: string): object {
  if (!chosen) throw new Error("Choose what the acquirer's records say.");
  const facts = isOutside(chosen) ? { ...remarks, reference } : { ...remarks, businessDay };
  const given = Object.entries(facts).map(([name, text]) => [name, text.trim() || undefined]);
  const money = {
    ...((amountName(chosen) || isOutside(chosen)) && { amount: majorOf(amount, currency) ?? chosen.amount }),
    ...(isPaid(chosen) && { tip: majorOf(tip, currency) ?? chosen.tip }),
  };
  return { ...chosen.said, ...money, ...Object.fromEntries(given) };
}

/** The name of the amount that an outcome may have besides its own. Undefined if it has none. */
export const amountName = (chosen: OutcomeView | undefined): string | undefined =>
  ({ paid: "Captured", succeeded: "Refunded" })[chosen?.said["outcome"] ?? ""];
/** The amount of a payment that is paid may have a tip. */
export const isPaid = (chosen: OutcomeView | undefined): boolean => chosen?.said["outcome"] === "paid";
/** Money was returned without the terminal, so no business day counts it. */
export const isOutside = (chosen: OutcomeView | undefined): boolean => chosen?.said["of"] === "outside";

function majorOf(typed: string, currency: string): number | undefined {
  if (typed.trim() === "") return undefined;
  const minor = minorOf(typed, currency);
  if (minor === undefined) throw new Error(`“${typed.trim()}” is not an amount in ${currency}.`);
  return Number(majorText(minor, currency));
}
