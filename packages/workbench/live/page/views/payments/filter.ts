import type { PaymentView } from "../../../views/payments.ts";
import { wordsOf } from "../../words.ts";

/** The filter of the payments' list. An empty member does not filter. */
export interface Filter {
  /** Text to find in the order, the session, the merchant or the terminal's name. */
  readonly text: string;
  /** A state, or `open` for all payments that have not ended. */
  readonly status: string;
  /** A terminal's identifier. */
  readonly terminal: string;
  /** Only payments with an open alert. */
  readonly alerts: boolean;
}

/** The states of a payment, in the order of the filter's list. */
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

/** The filter as the query of an address. Empty if it does not filter. */
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

/** The text that the filter searches. It is cached for each payment, because the list has up to two thousand payments and changes often. */
function textOf(payment: PaymentView): string {
  const made = known.get(payment);
  if (made !== undefined) return made;
  const { sessionId, orderId, merchantName, terminalName } = payment;
  const words = [sessionId, orderId, merchantName, terminalName].join("\n").toLowerCase();
  known.set(payment, words);
  return words;
}
