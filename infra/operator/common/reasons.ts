import { changeClauses, reasonClauses, stateClauses } from "../../../shared/contracts/payment-words.ts";
import { sentence } from "../../../shared/contracts/values.ts";
import type { HistoryEntry } from "../../../shared/domain/payment/life/advance.ts";
import { merchantMoney, type PaymentMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import type { Payment, StatusReason } from "../../../shared/domain/payment/record/payment.ts";
import { moneyText } from "./money-text.ts";

/**
 * The sentences that answer why a payment is as it is, and what became of its money. The reason says what led to the state, and nothing of
 * the money: a charge may be known that did not.
 */
export function because(payment: PaymentMoney & Pick<Payment, "statusDetail">): string {
  const { status, statusReason, statusDetail } = payment;
  const isKnown = merchantMoney(payment).own !== "unknown";
  // A void that ends a doubt keeps the reason of the doubt.
  const reason = statusReason === "outcomeUnknown" && isKnown ? undefined : statusReason;
  const why = reason === undefined ? stateClauses[status] : reasonClauses[reason];
  const named = reason === undefined ? "" : ` (${reason})`;
  return [`It is ${status} because ${why}${named}.`, moneyText(payment), ...wordsOf(statusReason, statusDetail)].join(
    " ",
  );
}

/** The text that the payment carries, with who speaks. */
function wordsOf(reason: StatusReason | undefined, detail: string | undefined): readonly string[] {
  if (detail === undefined) return [];
  const speaker = reason === "settledByOperator" ? "The operator's note for the partner" : "The terminal's words";
  return [`${speaker}: ${JSON.stringify(detail)}.`];
}

/** Why a payment is in its state, as a sentence of its own. */
export const reasonText = (reason: StatusReason): string => sentence(reasonClauses[reason]);

/** A change as a sentence without its end: who did what. */
export function deed({ by, event }: Pick<HistoryEntry, "by" | "event">): string {
  return `${actors[by]} ${changeClauses[event].replace("reported", verbs[by])}`;
}

const actors: Readonly<Record<HistoryEntry["by"], string>> = {
  partner: "The partner",
  terminal: "The terminal",
  platform: "The platform",
  operator: "An operator",
};

/** What a terminal reports, an operator may record, and the platform conclude from silence. */
const verbs: Readonly<Record<HistoryEntry["by"], string>> = {
  partner: "stated",
  terminal: "reported",
  platform: "concluded",
  operator: "recorded",
};
