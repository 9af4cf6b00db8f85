import { advance, record, type Change, type Step } from "./advance.ts";
import type { DecisionContext } from "./decision.ts";
import { answerDiscount, appliedTotal, discountsInApproval, isOffered } from "./discount.ts";
import type { ReportType } from "./events.ts";
import { isFinal, type AcquirerDetails, type CardDetails, type Payment, type Receipt } from "./payment.ts";
import { settleRefund } from "./refund.ts";
import { verdictOf } from "./transitions.ts";

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

type ReportStep = Omit<Step, "event"> & { readonly by: "terminal" };

/** The change that a report makes, or undefined where it is no transition. */
type Decide = (payment: Payment, report: Report, step: ReportStep) => Change | undefined;

/**
 * What a report makes of a payment: at most one transition. What is none is recorded, so every report changes the history and none
 * is lost.
 *
 * @param answered the sequence of the command whose message the report answers, where that is known
 */
export function decideReport(
  payment: Payment,
  report: Report,
  context: DecisionContext,
  answered: number | undefined,
): Change {
  const step = { ...context, by: "terminal", reportId: report.reportId, detail: report.detail } as const;
  const decide = decisions[report.type] ?? move;
  const change = answersEarlierTry(payment, report, answered) ? undefined : decide(payment, report, step);
  return change ?? record(payment, { ...step, event: report.type, alert: movedMoney(payment, report.type) });
}

/** Reports that are more than an event of the table. */
const decisions: Partial<Record<ReportType, Decide>> = {
  authorized: approve,
  refunded: refundReported,
  refundFailed: refundReported,
  discountApplied: discountReported,
  discountRefused: discountReported,
  amountLocked: (payment, { type }, step) => advance(payment, { ...step, event: type, set: { amountLocked: true } }),
};

const move: Decide = (payment, report, step) =>
  advance(payment, { ...step, event: report.type, set: reportedDetails(payment, report) });

/** A failure of a capture or void that was since requested again says nothing of the new try. */
const answersEarlierTry = ({ awaiting }: Payment, { type }: Report, answered: number | undefined): boolean =>
  (type === "captureFailed" || type === "voidFailed") &&
  awaiting !== undefined &&
  answered !== undefined &&
  answered < awaiting.sequence;

/** Of the reports that contradict an authorization, those after which its money is somewhere else than the books say. */
const movedMoney = ({ status }: Payment, type: ReportType): boolean =>
  status === "authorized" && (type === "captured" || type === "voided") && verdictOf(status, type) === "contradicts";

function refundReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  const refund = payment.refunds.find((r) => r.commandId === report.messageId || r.refundId === report.refundId);
  if (refund?.status !== "pending") return undefined;
  const outcome =
    report.type === "refunded"
      ? ({ status: "succeeded", statusReason: undefined } as const)
      : ({ status: "failed", statusReason: report.detail ?? "terminalReported" } as const);
  return settleRefund(payment, refund, outcome, step);
}

function discountReported(
  payment: Payment,
  { type, messageId, discountId }: Report,
  step: ReportStep,
): Change | undefined {
  const discount = payment.discounts.find((d) => d.commandId === messageId || d.discountId === discountId);
  if (!discount || !isOffered(discount)) return undefined;
  return answerDiscount(payment, discount, type === "discountApplied" ? "applied" : "refused", step);
}

/** An approval: of what was requested, of what a discount left, or of another amount, which is taken back. */
function approve(payment: Payment, report: Report, context: ReportStep): Change {
  const { amount = 0, currency } = report;
  const authorisation = authorisationOf(report);
  const step = { ...context, event: "authorized" } as const;
  if (payment.approvals.includes(authorisation)) return record(payment, step);
  const approvals = [...payment.approvals, authorisation];
  const explained = currency === payment.currency ? discountsInApproval(payment, amount, step.now) : undefined;
  const discounts = explained ?? payment.discounts;
  const discounted = explained ? appliedTotal(explained) : payment.amounts.discounted;
  const amounts = { ...payment.amounts, discounted, authorized: amount };
  const change = advance(payment, {
    ...step,
    event: explained ? "authorized" : "authorizedOtherAmount",
    set: { ...reportedDetails(payment, report), approvals, amounts, discounts },
  });
  return change ?? unwanted(payment, report, { ...step, set: { approvals } });
}

/** What an approval is recognised by when it is told again. */
const authorisationOf = ({ acquirer }: Report): string => `${acquirer?.authorisationCode ?? ""}~${acquirer?.rrn ?? ""}`;

/** An approval that no state wants is an operator's to look at; once the payment is over it is also taken back. */
function unwanted(payment: Payment, { amount = 0, currency = payment.currency }: Report, step: Step): Change {
  const recorded = record(payment, { ...step, alert: true });
  if (!isFinal(payment.status)) return recorded;
  return { ...recorded, effects: [{ kind: "message", message: { type: "void", amount, currency } }] };
}

const reportedDetails = (payment: Payment, { card, acquirer, receipt }: Report): Partial<Payment> => ({
  card: card ?? payment.card,
  acquirer: acquirer ?? payment.acquirer,
  receipt: receipt ?? payment.receipt,
});
