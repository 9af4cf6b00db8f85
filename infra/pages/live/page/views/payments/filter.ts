import type { PaymentView } from "../../../views/payments.ts";
import { wordsOf } from "../../words.ts";

/** What the list of payments is narrowed to. An empty member narrows nothing. */
export interface Filter {
  /** Is part of the order, the session, the merchant or the terminal's name. */
  readonly text: string;
  /** A state, or `open` for all that have not ended. */
  readonly status: string;
  /** A terminal's identifier. */
  readonly terminal: string;
  /** Only payments with an open alert. */
  readonly alerts: boolean;
}

/** The states of a payment, in the order in which the list of them offers them. */
export const states = [
  "pending",
  "inProgress",
  "cancelRequested",
  "reconciling",
  "authorized",
  "captureRequested",
  "voidRequested",
  "captured",
  "declined",
  "cancelled",
  "expired",
  "failed",
  "voided",
] as const;

export function filterOf(query: string): Filter {
  const words = new URLSearchParams(query);
  const word = (name: string) => words.get(name) ?? "";
  return { text: word("text"), status: word("status"), terminal: word("terminal"), alerts: word("alerts") === "open" };
}

/** The filter as an address holds it; empty for one that narrows nothing. */
export function queryOf({ text, status, terminal, alerts }: Filter): string {
  const words = { text, status, terminal, alerts: alerts ? "open" : "" };
  return new URLSearchParams(Object.entries(words).filter(([, word]) => word !== "")).toString();
}

export function matches(payment: PaymentView, filter: Filter): boolean {
  if (filter.alerts && payment.alerts === 0) return false;
  if (filter.terminal !== "" && payment.terminalId !== filter.terminal) return false;
  if (!isOfStatus(payment.status, filter.status)) return false;
  return filter.text === "" || textOf(payment).includes(filter.text.trim().toLowerCase());
}

const isOfStatus = (status: string, wanted: string): boolean =>
  wanted === "" || (wanted === "open" ? !wordsOf(status).isFinal : status === wanted);

const known = new WeakMap<PaymentView, string>();

/** What a text is looked for in. It is made once for each payment, and not at each event of two thousand. */
function textOf(payment: PaymentView): string {
  const made = known.get(payment);
  if (made !== undefined) return made;
  const { sessionId, orderId, merchantName, terminalName } = payment;
  const words = [sessionId, orderId, merchantName, terminalName].join("\n").toLowerCase();
  known.set(payment, words);
  return words;
}
