import type { RaisedAlert } from "../../alert.ts";
import { saidBy } from "../record/said.ts";
import { advance, record, withAlert, type Change } from "../life/advance.ts";
import type { DecisionContext } from "../life/decision.ts";
import { approve } from "./approvals.ts";
import { isChargeReport } from "./charge-verdicts.ts";
import { chargeReported } from "./charges.ts";
import { answerDiscount, isOffered } from "../requests/discount.ts";
import type { ReportType } from "../record/events.ts";
import { isFinal, wantedCharge, type Payment } from "../record/payment.ts";
import { ownCaptured } from "../record/kept-money.ts";
import { refundOf, refundReported } from "./refund-reports.ts";
import type { Report } from "../record/report.ts";
import { differs, reportedDetails, type ReportStep } from "./reported.ts";
import { afterAnswer, booksOf } from "../life/restoring.ts";
import { verdictOf } from "../life/transitions.ts";
import { refundVerdictOf } from "../life/verdicts.ts";

/** The change by a report. Undefined if the report is not a transition. */
type Decide = (payment: Payment, report: Report, step: ReportStep) => Change | undefined;

/**
 * The change by a report: at most one transition. A report that is not a transition is recorded, so every report changes the history and
 * none is lost.
 *
 * @param answered the sequence of the command whose message the report answers, if known
 */
export function decideReport(
  payment: Payment,
  report: Report,
  context: DecisionContext,
  answered: number | undefined,
): Change {
  const step = stepOf(report, context, answered);
  const change = changeBy(payment, report, step);
  const answer = { ...change, payment: afterAnswer(change.payment, booksOf(payment, step.answered)) };
  return report.disagrees ? withAlert(answer, disagreement(report)) : answer;
}

/** A terminal's step. An acknowledgement answers nothing, since it says only that a message arrived. */
function stepOf(report: Report, context: DecisionContext, answered: number | undefined): ReportStep {
  const { type, reportId, messageId, detail, businessDay } = report;
  const said = { reportId, messageId, said: saidBy(report), detail, businessDay };
  return { ...context, by: "terminal", ...said, answered: type === "acknowledged" ? undefined : answered };
}

/**
 * The transition by a report, or the record of it. The record has an alert if the report contradicts what is known. A failed earlier try
 * contradicts nothing.
 */
function changeBy(payment: Payment, report: Report, step: ReportStep): Change {
  const { type: event } = report;
  if (answersEarlierTry(payment, report, step)) return record(payment, { ...step, event });
  const decide = decisions[event] ?? chargeOrPayment;
  return decide(payment, report, step) ?? record(payment, { ...step, event, alerts: contradictions(payment, report) });
}

/** The alert for a report whose message is about another refund or discount than the report names. */
const disagreement = ({ type, refundId, discountId }: Report): RaisedAlert => ({
  alert: "contradictingReport",
  about: refundId ?? discountId,
  detail: `${type} names a message of another ${refundId === undefined ? "discount" : "refund"}`,
});

/** The types of report that need more than an event of the table. */
const decisions: Partial<Record<ReportType, Decide>> = {
  authorized: approve,
  refunded: refundReported,
  refundFailed: refundReported,
  discountApplied: discountReported,
  discountRefused: discountReported,
  captured(payment, report, step) {
    if (isOtherThanBooked(payment, report))
      return record(payment, { ...step, event: "captured", alerts: [differs(report.chargeId, report)] });
    // An operator may have recorded the same amount. It is the terminal's own from now on.
    const isBooked = wantedCharge(payment)?.status === "captured";
    return isBooked ? chargeOrPayment(payment, report, step) : captureReported(payment, report, step);
  },
  amountLocked: (payment, { type }, step) => advance(payment, { ...step, event: type, set: { amountLocked: true } }),
};

/** If a report names a charge, that charge's state decides. The payment's table decides on the wanted charge until it is captured. */
const chargeOrPayment: Decide = (payment, report, step) => {
  const { type, chargeId } = report;
  if (!isChargeReport(type) || chargeId === undefined) return move(payment, report, step);
  const charge = payment.charges.find((c) => c.chargeId === chargeId);
  if (!charge) return unknownReported(payment, report, step);
  return chargeReported(payment, charge, { ...report, type }, step) ?? move(payment, report, step);
};

/**
 * Decides on a report of a charge that the books lack. If the payment has ended, a capture counts as a charge after the end. A restoring
 * payment's void of an unknown first charge waits for the answer to the query. It may be of another card than the payment's own.
 */
const unknownReported: Decide = (payment, report, step) => {
  const { type: event, chargeId: about } = report;
  if (event === "captured" && isFinal(payment.status)) return approve(payment, report, step);
  const { query, mayLackCharge } = booksOf(payment, step.answered);
  const isFirst = payment.charges.length === 0;
  if (isFirst && event === "voided" && query === "unanswered") return record(payment, { ...step, event });
  if (isFirst && mayLackCharge) return lostReported(payment, report, step);
  return record(payment, { ...step, event, alerts: [{ alert: "contradictingReport", about }] });
};

/** Records the end of a charge that the books lack. Undefined for any other report, which only contradicts the books. */
function lostReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  if (report.type === "captured") return approve(payment, report, step);
  return report.type === "voided" ? move(payment, report, step) : undefined;
}

/** Records a capture. A lower amount than requested is recorded as reported. A higher amount is not believed. Both raise an alert. */
function captureReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  const { amount, currency } = report;
  const isRequested = amount === undefined || (amount === requestedCapture(payment) && currency === payment.currency);
  if (isRequested || report.chargeId !== wantedCharge(payment)?.chargeId) return chargeOrPayment(payment, report, step);
  const most = mostCaptured(payment, step);
  if (most === undefined) return undefined;
  const alerts = [differs(report.chargeId, report)];
  if (currency !== payment.currency || amount > most) return record(payment, { ...step, event: "captured", alerts });
  const set = reportedDetails(payment, report);
  return advance(payment, { ...step, event: "captured", captured: amount, set, alerts });
}

const requestedCapture = ({ captureAmount, amounts }: Payment): number => captureAmount ?? amounts.authorized;

/** The most that the terminal may have captured. Undefined if no capture is requested and no request can have been lost. */
function mostCaptured(payment: Payment, { answered }: ReportStep): number | undefined {
  const { status, amounts } = payment;
  if (booksOf(payment, answered).capturesUpTo === "authorized") return amounts.authorized;
  return status === "captureRequested" ? requestedCapture(payment) : undefined;
}

/** Whether the wanted charge is captured already with another amount than the report states. */
function isOtherThanBooked(payment: Payment, { chargeId, amount, currency }: Report): boolean {
  const wanted = wantedCharge(payment);
  if (wanted?.status !== "captured" || wanted.chargeId !== chargeId || amount === undefined) return false;
  return amount !== ownCaptured(payment) || currency !== payment.currency;
}

const move: Decide = (payment, report, step) =>
  advance(payment, { ...step, event: report.type, set: reportedDetails(payment, report) });

/**
 * Whether the report is a failure of an earlier try of a capture, void or reversal. It says nothing about the latest try or its outcome.
 */
function answersEarlierTry(
  { awaiting, charges }: Payment,
  { type, chargeId }: Report,
  { answered }: ReportStep,
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

/** The verdict on a report, by the state of the refund that it names, or else of the payment. */
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

function discountReported(
  payment: Payment,
  { type, messageId, discountId }: Report,
  step: ReportStep,
): Change | undefined {
  const discount = payment.discounts.find((d) =>
    discountId === undefined ? d.commandId === messageId : d.discountId === discountId,
  );
  if (!discount || !isOffered(discount)) return undefined;
  return answerDiscount(payment, discount, type === "discountApplied" ? "applied" : "refused", step);
}
