import type { RaisedAlert } from "../../alert.ts";
import { shownMoney } from "../../money.ts";
import type { Step } from "../life/advance.ts";
import type { Effect } from "../../effects.ts";
import type { Payment } from "../record/payment.ts";
import type { Report } from "../record/report.ts";

/** The report's card, acquirer and receipt. If the report lacks one, the payment keeps its own. */
export const reportedDetails = (payment: Payment, { card, acquirer, receipt }: Report): Partial<Payment> => ({
  card: card ?? payment.card,
  acquirer: acquirer ?? payment.acquirer,
  receipt: receipt ?? payment.receipt,
});

/** The alert for a report that contradicts what is known of its charge or refund. */
export const contradicting = (
  { type, detail }: Pick<Report, "type" | "detail">,
  about: string | undefined,
  known: string,
): RaisedAlert => ({
  alert: "contradictingReport",
  about,
  detail: `${type} while ${known}${detail === undefined ? "" : `: ${detail}`}`,
});

/** The event for a charge or refund on which an operator must decide, because the terminal contradicts what is known of it. */
export const contradictedEvent = (about: string): Effect<"payment"> => ({
  kind: "webhook",
  type: "payment.contradicted",
  about,
});

/** A terminal's step, before its event is known. */
export type ReportStep = Omit<Step, "event"> & { readonly by: "terminal" };

/**
 * The alert for a reported amount that differs from the requested or recorded one.
 *
 * @param requested the requested amount as people read it, if the alert is to name it
 */
export const differs = (
  about: string | undefined,
  { amount, currency }: Pick<Report, "amount" | "currency">,
  requested?: string,
): RaisedAlert => ({
  alert: "amountDiffers",
  about,
  detail:
    amount !== undefined && currency !== undefined
      ? `the terminal reported ${shownMoney(amount, currency)}${requested === undefined ? "" : `, and ${requested} was requested`}`
      : undefined,
});
