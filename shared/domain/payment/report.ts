import type { RaisedAlert } from "../alert.ts";
import { shownMoney } from "../money.ts";
import type { Step } from "./advance.ts";
import type { ReportType } from "./events.ts";
import type { AcquirerDetails, CardDetails, Receipt } from "./card.ts";
import type { Payment } from "./payment.ts";
import type { Day } from "../time.ts";

/** A terminal's report about a payment. Amounts are integer minor units. */
export interface Report {
  readonly reportId: string;
  readonly type: ReportType;
  /** The message that it answers. */
  readonly messageId?: string | undefined;
  /** It named a message that is about another refund or discount than it names; `messageId` is left out then. */
  readonly disagrees?: boolean;
  /** The charge that it is about, by the terminal's identifier. */
  readonly chargeId?: string | undefined;
  readonly refundId?: string | undefined;
  readonly discountId?: string | undefined;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly detail?: string | undefined;
  /** The terminal's business day on which the money moved. */
  readonly businessDay?: Day | undefined;
  readonly card?: CardDetails | undefined;
  readonly acquirer?: AcquirerDetails | undefined;
  readonly receipt?: Receipt | undefined;
}

/** The report's card, acquirer and receipt; the payment's own where the report has none. */
export const reportedDetails = (payment: Payment, { card, acquirer, receipt }: Report): Partial<Payment> => ({
  card: card ?? payment.card,
  acquirer: acquirer ?? payment.acquirer,
  receipt: receipt ?? payment.receipt,
});

/** A terminal's step, before its event is known. */
export type ReportStep = Omit<Step, "event"> & { readonly by: "terminal" };

/** The alert for a reported amount that differs from the requested or recorded one. */
export const differs = (
  about: string | undefined,
  { amount, currency }: Pick<Report, "amount" | "currency">,
): RaisedAlert => ({
  alert: "amountDiffers",
  about,
  detail:
    amount !== undefined && currency !== undefined
      ? `the terminal reported ${shownMoney(amount, currency)}`
      : undefined,
});

/**
 * The report as it counts for the payment: its `refundId` or `discountId` overrides a message that is about another refund or discount. What
 * was requested by that message is not concluded.
 */
export function counting({ refunds, discounts }: Payment, report: Report): Report {
  const { messageId, refundId, discountId } = report;
  const named =
    refunds.find(({ commandId }) => commandId === messageId)?.refundId ??
    discounts.find(({ commandId }) => commandId === messageId)?.discountId;
  const meant = refundId ?? discountId;
  if (named === undefined || meant === undefined || named.toLowerCase() === meant.toLowerCase()) return report;
  return { ...report, messageId: undefined, disagrees: true };
}
