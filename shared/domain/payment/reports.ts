import { advance, record, type Change, type Step } from "./advance.ts";
import { answerDiscount, appliedTotal, discountsInApproval, isOffered } from "./discount.ts";
import { isFinal, type AcquirerDetails, type CardDetails, type Payment, type Receipt } from "./payment.ts";
import { settleRefund } from "./refund.ts";

/** What a terminal says happened to a session. Amounts are integer minor units. */
export interface Report {
  readonly reportId: string;
  readonly type: ReportType;
  /** The message that it answers. */
  readonly messageId?: string | undefined;
  readonly refundId?: string | undefined;
  readonly discountId?: string | undefined;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly detail?: string | undefined;
  readonly card?: CardDetails | undefined;
  readonly acquirer?: AcquirerDetails | undefined;
  readonly receipt?: Receipt | undefined;
}

export const reportTypes = [
  "acknowledged",
  "accepted",
  "amountLocked",
  "authorized",
  "declined",
  "cancelled",
  "notStarted",
  "stillRunning",
  "failed",
  "captured",
  "captureFailed",
  "voided",
  "voidFailed",
  "refunded",
  "refundFailed",
  "discountApplied",
  "discountRefused",
] as const;
export type ReportType = (typeof reportTypes)[number];

type Context = Omit<Step, "event" | "by" | "set" | "reason" | "reportId" | "detail" | "effects">;

/**
 * What a report makes of a payment: at most one transition. Anything stale or contradictory is recorded without one, so every
 * report changes the history and none is lost.
 *
 * @param answered the sequence of the command whose message the report answers, where that is known
 */
export function decideReport(payment: Payment, report: Report, context: Context, answered: number | undefined): Change {
  const step = { ...context, by: "terminal", reportId: report.reportId, detail: report.detail } as const;
  const { type } = report;
  const change = answersEarlierTry(payment, report, answered) ? undefined : transition(payment, report, step);
  if (change) return change;
  // Money moved, or did not, against what is known: somebody has to look.
  const contradicts = (type === "captured" || type === "voided") && payment.status === "authorized";
  return record(payment, { ...step, event: type, alert: contradicts });
}

type ReportStep = Omit<Step, "event"> & { readonly by: "terminal" };

/** The transition that the report is, or undefined where it is none. */
function transition(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  const { type } = report;
  switch (type) {
    case "authorized":
      return decideApproval(payment, report, step);
    case "refunded":
    case "refundFailed": {
      const refund = payment.refunds.find((r) => r.commandId === report.messageId || r.refundId === report.refundId);
      if (refund?.status !== "pending") return undefined;
      const failed = { status: "failed", statusReason: report.detail ?? "terminalReported" } as const;
      return settleRefund(
        payment,
        refund,
        type === "refunded" ? { status: "succeeded", statusReason: undefined } : failed,
        step,
      );
    }
    case "discountApplied":
    case "discountRefused": {
      const { messageId, discountId } = report;
      const discount = payment.discounts.find((d) => d.commandId === messageId || d.discountId === discountId);
      if (!discount || !isOffered(discount)) return undefined;
      return answerDiscount(payment, discount, type === "discountApplied" ? "applied" : "refused", step);
    }
    case "amountLocked":
      return advance(payment, { ...step, event: type, set: { amountLocked: true } });
    case "captured":
      return advance(payment, { ...step, event: type, set: captured(payment, report) });
    default:
      return advance(payment, { ...step, event: type, set: told(payment, report) });
  }
}

/** A failure of a capture or void that was since asked for again says nothing of the new try. */
const answersEarlierTry = ({ awaiting }: Payment, { type }: Report, answered: number | undefined): boolean =>
  (type === "captureFailed" || type === "voidFailed") &&
  awaiting !== undefined &&
  answered !== undefined &&
  answered < awaiting.sequence;

function decideApproval(payment: Payment, report: Report, context: Omit<Step, "event">): Change {
  const { amount = 0, currency } = report;
  const authorisation = `${report.acquirer?.authorisationCode ?? ""}~${report.acquirer?.rrn ?? ""}`;
  const step = { ...context, event: "authorized" } as const;
  if (payment.approvals.includes(authorisation)) return record(payment, step);
  const approvals = [...payment.approvals, authorisation];
  const discounts = currency === payment.currency ? discountsInApproval(payment, amount, step.now) : undefined;
  const capturedNow = discounts && payment.captureMode === "automatic" ? amount : 0;
  const discounted = discounts ? appliedTotal(discounts) : payment.amounts.discounted;
  const amounts = { ...payment.amounts, discounted, authorized: amount, captured: capturedNow };
  const change = advance(payment, {
    ...step,
    event: discounts ? "authorized" : "authorizedOtherAmount",
    set: { ...told(payment, report), approvals, amounts, discounts: discounts ?? payment.discounts },
  });
  if (change) return change.payment.status === "voidRequested" ? uncaptured(change) : change;
  if (!isFinal(payment.status)) return record(payment, { ...step, set: { approvals }, alert: true });
  // The payment is over, and a card was charged all the same: take it back, and call somebody.
  const recorded = record(payment, { ...step, set: { approvals }, alert: true });
  const message = { type: "void", amount, currency: currency ?? payment.currency } as const;
  return { ...recorded, effects: [{ kind: "message", message }] };
}

/** An approval that is taken back at once was never captured, whatever the capture mode. */
const uncaptured = (change: Change): Change => ({
  ...change,
  payment: { ...change.payment, amounts: { ...change.payment.amounts, captured: 0 } },
});

const captured = (payment: Payment, report: Report): Partial<Payment> => ({
  ...told(payment, report),
  amounts: { ...payment.amounts, captured: payment.captureAmount ?? payment.amounts.authorized },
});

const told = (payment: Payment, { card, acquirer, receipt }: Report): Partial<Payment> => ({
  card: card ?? payment.card,
  acquirer: acquirer ?? payment.acquirer,
  receipt: receipt ?? payment.receipt,
});
