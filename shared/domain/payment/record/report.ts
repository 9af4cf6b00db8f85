import type { ReportType } from "./events.ts";
import type { AcquirerDetails, CardDetails, Receipt } from "./card.ts";
import type { Decline } from "./decline-code.ts";
import type { Payment } from "./payment.ts";
import type { Day } from "../../time.ts";

/** A terminal's report about a payment. Amounts are integer minor units. */
export interface Report extends Decline {
  readonly reportId: string;
  readonly type: ReportType;
  /** The message that it answers. */
  readonly messageId?: string | undefined;
  /** The report named a message about another refund or discount than its own. `messageId` is then left out. */
  readonly disagrees?: boolean;
  /** The charge that it is about, by the terminal's identifier. */
  readonly chargeId?: string | undefined;
  readonly refundId?: string | undefined;
  readonly discountId?: string | undefined;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  /** The part of the amount that the customer added as a tip. Undefined if the report has none, or if it cannot be read. */
  readonly tipAmount?: number | undefined;
  readonly detail?: string | undefined;
  /** How long before its sending the event happened, in milliseconds by the terminal's monotonic clock. */
  readonly agoMs?: number | undefined;
  /** The terminal's business day on which the money moved. */
  readonly businessDay?: Day | undefined;
  readonly card?: CardDetails | undefined;
  readonly acquirer?: AcquirerDetails | undefined;
  readonly receipt?: Receipt | undefined;
}

/**
 * The report as it counts for the payment. Its `refundId` or `discountId` overrides a message about another refund or discount. The request
 * of that message is not concluded.
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
