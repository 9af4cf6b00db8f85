import {
  changeClauses,
  reasonClauses,
  refundReasonClauses,
  stateClauses,
} from "../../../shared/contracts/payment-words.ts";
import { sentence } from "../../../shared/contracts/values.ts";
import { shownMoney } from "../../../shared/domain/money.ts";
import type { HistoryEntry } from "../../../shared/domain/payment/record/history-entry.ts";
import { merchantMoney, type PaymentMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import type { Payment, Refund, StatusReason } from "../../../shared/domain/payment/record/payment.ts";
import type { Said } from "../../../shared/domain/payment/record/said.ts";
import { quoted, shownText } from "../../../shared/domain/texts.ts";
import { moneyText } from "./money-text.ts";

/**
 * Sentences that explain the state of a payment, and where its money is. The reason explains only the state. It says nothing about money,
 * because there may be a known charge that did not cause the state.
 */
export function because(payment: PaymentMoney & Pick<Payment, "statusDetail">): string {
  const { status, statusReason, statusDetail } = payment;
  const isKnown = merchantMoney(payment).own !== "unknown";
  // A void that ends a doubt keeps the doubt's reason.
  const reason = statusReason === "outcomeUnknown" && isKnown ? undefined : statusReason;
  const why = reason === undefined ? `: ${stateClauses[status]}` : ` because ${reasonClauses[reason]} (${reason})`;
  return [`It is ${status}${why}.`, moneyText(payment), ...wordsOf(statusReason, statusDetail)].join(" ");
}

/** The text on the payment, with its speaker. An amount that does not match is explained by the terminal or by the platform. */
function wordsOf(reason: StatusReason | undefined, detail: string | undefined): readonly string[] {
  if (detail === undefined) return [];
  const speaker = (reason && speakers[reason]) ?? "The terminal's words";
  return [`${speaker}: ${quoted(detail)}.`];
}

const speakers: Partial<Record<StatusReason, string>> = {
  settledByOperator: "The operator's note for the partner",
  amountMismatch: "Detail",
};

/** The reason for a payment's state, as a separate sentence. */
export const reasonText = (reason: StatusReason): string => sentence(reasonClauses[reason]);

/** The reason for a refund's state, as a clause: the terminal's words, if it gave any. An outside refund has its reference too. */
export function refundReason({ statusReason, statusDetail, outsideReference }: Refund): string | undefined {
  const reason =
    statusDetail === undefined ? statusReason && refundReasonClauses[statusReason] : shownText(statusDetail);
  if (outsideReference === undefined) return reason;
  return `${reason}; returned outside the platform as ${quoted(outsideReference)}`;
}

/** What `changeText` reads of a change. The amounts are in minor units. */
type ToldChange = Pick<HistoryEntry, "by" | "event" | "amount"> & {
  readonly said?: Pick<Said, "amount" | "currency"> | undefined;
};

/** A change as a sentence without its end: who did what, with the recorded or reported amount, if any. `currency` is the payment's. */
export function changeText({ by, event, amount: recorded, said }: ToldChange, currency: string): string {
  const clause = changeClauses[event].replace("reported", verbs[by]);
  const told = recorded === undefined ? said : { amount: recorded };
  if (told?.amount === undefined) return `${actors[by]} ${clause}`;
  return `${actors[by]} ${withAmount(clause, shownMoney(told.amount, told.currency ?? currency))}`;
}

/** The clause with an amount after the noun that has one. The clause is unchanged if it has no such noun. */
const withAmount = (clause: string, amount: string): string =>
  clause.endsWith(" is paid")
    ? `${clause} with ${amount}`
    : clause.replace(
        /\b(payment|capture|refund|discount|approval|void|charge)\b( of)?/,
        (_, noun: string, of?: string) => `${noun} of ${amount}${of === undefined ? "" : ","}`,
      );

const actors: Readonly<Record<HistoryEntry["by"], string>> = {
  partner: "The partner",
  terminal: "The terminal",
  platform: "The platform",
  operator: "An operator",
};

/** The verb depends on the actor: a terminal reports, an operator records, and the platform concludes from silence. */
const verbs: Readonly<Record<HistoryEntry["by"], string>> = {
  partner: "stated",
  terminal: "reported",
  platform: "concluded",
  operator: "recorded",
};
