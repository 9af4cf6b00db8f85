import { countedOn, type Counted } from "./business-day.ts";
import type { Movement } from "./session.ts";

const COLUMNS = "date,type,currency,amountMinorUnits,brand,last4,authorisationCode,rrn,tid,mid";

const types: Readonly<Record<Counted["as"], string>> = { capture: "sale", refund: "refund", reversal: "reversal" };

/**
 * The acquirer's file of a business day: a line for each movement that the terminal's totals count. So an authorization that was given back
 * has none, and a captured charge that was given back has two.
 */
export const acquirerFile = (journal: readonly Movement[], day: string): string =>
  [COLUMNS, ...countedOn(journal, day).map((counted) => lineOf(counted, day))].map((line) => `${line}\r\n`).join("");

const lineOf = ({ as, currency, amount, card, acquirer }: Counted, day: string): string => {
  const references = [acquirer?.authorisationCode, acquirer?.rrn, acquirer?.tid, acquirer?.mid];
  return [day, types[as], currency, amount, card?.brand, card?.last4, ...references].join(",");
};
