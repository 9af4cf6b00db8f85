import { advance, record, type Change, type Step } from "./advance.ts";
import type { DecisionContext } from "./decision.ts";
import { approve } from "./approvals.ts";
import { chargeReported, isChargeReport } from "./charges.ts";
import { answerDiscount, isOffered } from "./discount.ts";
import type { ReportType } from "./events.ts";
import { wantedCharge, type Payment, type Refund } from "./payment.ts";
import { settleRefund } from "./refund.ts";
import { reportedDetails, type Report } from "./report.ts";
import { verdictOf } from "./transitions.ts";

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
  const decide = decisions[report.type] ?? chargeOrPayment;
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
  captured: captureReported,
  amountLocked: (payment, { type }, step) => advance(payment, { ...step, event: type, set: { amountLocked: true } }),
};

/** A report that names a charge is judged by that charge, unless it is the wanted one. */
const chargeOrPayment: Decide = (payment, report, step) => {
  const { type, chargeId } = report;
  if (!isChargeReport(type) || chargeId === undefined) return move(payment, report, step);
  const charge = payment.charges.find((c) => c.chargeId === chargeId);
  if (!charge) return record(payment, { ...step, event: type, alert: true });
  return chargeReported(payment, charge, type, step) ?? move(payment, report, step);
};

/** Another amount than was requested is booked as reported, up to what was requested; more than that is not believed. */
function captureReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  const { amount, currency } = report;
  const requested = payment.captureAmount ?? payment.amounts.authorized;
  const isRequested = amount === undefined || (amount === requested && currency === payment.currency);
  if (isRequested || report.chargeId !== wantedCharge(payment)?.chargeId) return chargeOrPayment(payment, report, step);
  if (currency !== payment.currency || amount > requested || payment.status !== "captureRequested") return undefined;
  const set = reportedDetails(payment, report);
  return advance(payment, { ...step, event: "captured", captured: amount, set, alert: true });
}

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
  const { messageId, refundId } = report;
  const refund =
    payment.refunds.find((r) => r.commandId === messageId) ?? payment.refunds.find((r) => r.refundId === refundId);
  if (refund?.status !== "pending") return undefined;
  if (report.type === "refunded") return refundMade(payment, refund, report, step);
  const statusReason = report.detail ?? "terminalReported";
  return settleRefund(payment, refund, { status: "failed", statusReason }, step);
}

/** Another amount than was requested is booked as reported, up to what was requested; more than that is not believed. */
function refundMade(payment: Payment, refund: Refund, report: Report, step: ReportStep): Change {
  const { amount = refund.amount, currency = payment.currency } = report;
  if (currency !== payment.currency || amount > refund.amount) {
    return record(payment, { ...step, event: "refunded", alert: true });
  }
  const made = { ...refund, amount };
  const outcome = { status: "succeeded", statusReason: undefined } as const;
  const change = settleRefund(payment, made, outcome, { ...step, alert: amount < refund.amount });
  return change ?? record(payment, { ...step, event: "refunded" });
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
