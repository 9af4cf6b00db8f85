import type { RaisedAlert } from "../alert.ts";
import { advance, record, type Change, type Step } from "./advance.ts";
import type { DecisionContext } from "./decision.ts";
import { approve } from "./approvals.ts";
import { chargeReported, isChargeReport } from "./charges.ts";
import { answerDiscount, isOffered } from "./discount.ts";
import type { ReportType } from "./events.ts";
import { isFinal, wantedCharge, type Payment, type Refund } from "./payment.ts";
import { ownCaptured } from "./kept-money.ts";
import { concludeRefund, replacedRefund } from "./refund.ts";
import { reportedDetails, type Report } from "./report.ts";
import { verdictOf } from "./transitions.ts";
import { refundVerdictOf } from "./verdicts.ts";

type ReportStep = Omit<Step, "event"> & { readonly by: "terminal" };

/** The change by a report; undefined where it is no transition. */
type Decide = (payment: Payment, report: Report, step: ReportStep) => Change | undefined;

/**
 * The change by a report: at most one transition. A report that is no transition is recorded, so every report changes the history and none
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
  const { reportId, messageId, detail, businessDay } = report;
  const step = { ...context, by: "terminal", reportId, messageId, detail, businessDay } as const;
  const decide = decisions[report.type] ?? chargeOrPayment;
  const known = asKnown(payment, answered);
  const change =
    (answersEarlierTry(payment, report, answered) || isPutAside(payment, report, answered)
      ? record(payment, { ...step, event: report.type })
      : refundStaysDue(payment, report, step, answered)) ??
    decide(known, report, step) ??
    record(payment, { ...step, event: report.type, alerts: contradictions(payment, report) });
  return queriedBy(payment, report, change, answered);
}

/** What answers the awaited message is certain, also before the query of a restore is answered. */
const asKnown = (payment: Payment, answered: number | undefined): Payment =>
  answered !== undefined && answered === payment.awaiting?.sequence ? { ...payment, restored: undefined } : payment;

/**
 * Whether a report is only recorded while the query of a restore is not answered: that the payment runs, which was so before its outcome;
 * and the void of a charge that the books lack, which may be another card's than the payment's own.
 */
function isPutAside(payment: Payment, { type, chargeId }: Report, answered: number | undefined): boolean {
  if (payment.restored === undefined || answered === payment.restored) return false;
  if (type === "voided") return isLost(payment) && chargeId !== undefined;
  return payment.status === "reconciling" && (type === "accepted" || type === "stillRunning");
}

/** The change, after which the query of a restore is answered where the report answers it. An acknowledgement says nothing. */
function queriedBy({ restored }: Payment, { type }: Report, change: Change, answered: number | undefined): Change {
  if (restored === undefined) return change;
  const isAnswered = answered === restored && type !== "acknowledged";
  return { ...change, payment: { ...change.payment, restored: isAnswered ? undefined : restored } };
}

/** The types of report that need more than an event of the table. */
const decisions: Partial<Record<ReportType, Decide>> = {
  authorized: approve,
  refunded: refundReported,
  refundFailed: refundReported,
  discountApplied: discountReported,
  discountRefused: discountReported,
  captured: (payment, report, step) =>
    isOtherThanBooked(payment, report)
      ? record(payment, { ...step, event: "captured", alerts: [differs(report.chargeId, report)] })
      : captureReported(payment, report, step),
  amountLocked: (payment, { type }, step) => advance(payment, { ...step, event: type, set: { amountLocked: true } }),
};

/**
 * A report that names a charge is decided by that charge, unless it is the wanted one. A capture of an unknown charge, for a payment that
 * has ended, counts as a charge after the end.
 */
const chargeOrPayment: Decide = (payment, report, step) => {
  const { type, chargeId } = report;
  if (!isChargeReport(type) || chargeId === undefined) return move(payment, report, step);
  const charge = payment.charges.find((c) => c.chargeId === chargeId);
  if (!charge && type === "captured" && isFinal(payment.status)) return approve(payment, report, step);
  if (!charge && isLost(payment)) return lostReported(payment, report, step);
  if (!charge)
    return record(payment, { ...step, event: type, alerts: [{ alert: "contradictingReport", about: chargeId }] });
  return chargeReported(payment, charge, { ...report, type }, step) ?? move(payment, report, step);
};

/** Whether the books may lack the payment's charge: the terminal made it after the export from which the platform was restored. */
const isLost = ({ restored, charges }: Payment): boolean => restored !== undefined && charges.length === 0;

/** Records the end of a charge that the books lack. Of any other report nothing is known for certain but that it contradicts the books. */
function lostReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  if (report.type === "captured") return approve(payment, report, step);
  return report.type === "voided" ? move(payment, report, step) : undefined;
}

/** Records a capture. A lower amount than the requested one is recorded as reported; a higher one is not believed. Either raises an alert. */
function captureReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  const { amount, currency } = report;
  const isRequested = amount === undefined || (amount === requestedCapture(payment) && currency === payment.currency);
  if (isRequested || report.chargeId !== wantedCharge(payment)?.chargeId) return chargeOrPayment(payment, report, step);
  if (payment.status !== "captureRequested" && payment.restored === undefined) return undefined;
  const alerts = [differs(report.chargeId, report)];
  if (currency !== payment.currency || amount > mostCaptured(payment))
    return record(payment, { ...step, event: "captured", alerts });
  const set = reportedDetails(payment, report);
  return advance(payment, { ...step, event: "captured", captured: amount, set, alerts });
}

const requestedCapture = ({ captureAmount, amounts }: Payment): number => captureAmount ?? amounts.authorized;
/** What may be captured. After a restore the request may be lost: then nothing but the authorization bounds it. */
const mostCaptured = (payment: Payment): number =>
  payment.restored === undefined ? requestedCapture(payment) : payment.amounts.authorized;

/** Whether the wanted charge is captured already with another amount than the report states. */
function isOtherThanBooked(payment: Payment, { chargeId, amount, currency }: Report): boolean {
  const wanted = wantedCharge(payment);
  if (wanted?.status !== "captured" || wanted.chargeId !== chargeId || amount === undefined) return false;
  return amount !== ownCaptured(payment) || currency !== payment.currency;
}

const differs = (about: string | undefined, { amount, currency }: Report): RaisedAlert => ({
  alert: "amountDiffers",
  about,
  detail: `${amount} ${currency} in minor units`,
});

const move: Decide = (payment, report, step) =>
  advance(payment, { ...step, event: report.type, set: reportedDetails(payment, report) });

/**
 * Whether the report is a failure of an earlier try of a capture, void or reversal. It says nothing about the latest try or its outcome.
 */
function answersEarlierTry(
  { awaiting, charges }: Payment,
  { type, chargeId }: Report,
  answered: number | undefined,
): boolean {
  if ((type !== "captureFailed" && type !== "voidFailed") || answered === undefined) return false;
  const latest = charges.find((charge) => charge.chargeId === chargeId)?.reversal ?? awaiting;
  return latest !== undefined && answered < latest.sequence;
}

/** The alert for a report that contradicts what is known: the money may not be where the payment says. */
function contradictions(payment: Payment, report: Report): RaisedAlert[] {
  const { verdict, known, about } = judged(payment, report);
  if (verdict !== "contradicts") return [];
  const found = `${report.type} while ${known}`;
  const detail = report.detail === undefined ? found : `${found}: ${report.detail}`;
  return [{ alert: "contradictingReport", about, detail }];
}

/** The verdict on a report, by the state of what it is about: the refund that it names, or else the payment. */
function judged(payment: Payment, report: Report) {
  const { type, chargeId, refundId } = report;
  if (type !== "refunded" && type !== "refundFailed") {
    const { status } = payment;
    return { verdict: verdictOf(status, type), known: `the payment is ${status}`, about: chargeId };
  }
  const refund = refundOf(payment, report);
  const state = refund?.status ?? "unknown";
  return {
    verdict: refundVerdictOf(state, type),
    known: `the refund is ${state}`,
    about: refund?.refundId ?? refundId,
  };
}

/** The refund that a report is about: that of the message that it answers, or the one that it names. */
const refundOf = ({ refunds }: Payment, { messageId, refundId }: Report): Refund | undefined =>
  refunds.find((r) => r.commandId === messageId) ?? refunds.find((r) => r.refundId === refundId);

function refundReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  const refund = refundOf(payment, report);
  if (refund?.correction && isSameRefund(payment, refund, report)) {
    const refunds = replacedRefund(payment, { ...refund, correction: undefined });
    return record(payment, { ...step, event: "refunded", set: { refunds } });
  }
  if (refund?.status !== "pending") return undefined;
  if (report.type === "refunded") return refundMade(payment, refund, report, step);
  if (refund.terminalForgot) return refundFailureNotBelieved(payment, refund, report, step);
  const statusReason = report.detail ?? "terminalReported";
  return concludeRefund(payment, refund, { status: "failed", statusReason }, step);
}

/** Whether the terminal reports a refund as it is recorded: the money is the terminal's own from then on, also if an operator recorded it. */
const isSameRefund = ({ currency }: Payment, { status, made, amount }: Refund, report: Report): boolean =>
  status === "succeeded" &&
  report.type === "refunded" &&
  (report.amount ?? made ?? amount) === (made ?? amount) &&
  (report.currency ?? currency) === currency;

/**
 * Leaves a refund pending whose first status query after a restore the terminal answers with a failure: it may never have got the refund's
 * message, which follows the query and decides.
 */
function refundStaysDue(
  payment: Payment,
  report: Report,
  step: ReportStep,
  answered: number | undefined,
): Change | undefined {
  const refund = report.type === "refundFailed" ? refundOf(payment, report) : undefined;
  if (refund?.status !== "pending" || refund.terminalForgot || refund.restored === undefined) return undefined;
  if (answered === refund.sequence) return undefined;
  const restored = answered === refund.restored ? undefined : refund.restored;
  const refunds = replacedRefund(payment, { ...refund, restored });
  return record(payment, { ...step, event: "refundFailed", set: { refunds } });
}

/**
 * Records a failed refund and leaves it in doubt: a terminal that lost its memory cannot know that nothing happened. Only its report that
 * money moved, or an operator, ends the doubt.
 */
function refundFailureNotBelieved(
  payment: Payment,
  { refundId: about }: Refund,
  { type, detail }: Report,
  step: ReportStep,
): Change {
  const reported = detail === undefined ? type : `${type}: ${detail}`;
  return record(payment, {
    ...step,
    event: "refundFailed",
    alerts: [{ alert: "outcomeUnknown", about, detail: reported }],
  });
}

/** Records a refund as made. A lower amount than the requested one is recorded as reported; a higher one is not believed. Either raises an alert. */
function refundMade(payment: Payment, refund: Refund, report: Report, step: ReportStep): Change {
  const { amount = refund.amount, currency = payment.currency } = report;
  if (currency !== payment.currency || amount > refund.amount) {
    return record(payment, { ...step, event: "refunded", alerts: [differs(refund.refundId, report)] });
  }
  const made = amount < refund.amount ? { ...refund, made: amount } : refund;
  const outcome = { status: "succeeded", statusReason: undefined } as const;
  const change = concludeRefund(payment, made, outcome, {
    ...step,
    alerts: amount < refund.amount ? [differs(refund.refundId, report)] : [],
  });
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
