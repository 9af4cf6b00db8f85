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
import { refundOf, refundReported, refundStaysDue } from "./refund-reports.ts";
import type { Report } from "../record/report.ts";
import { differs, reportedDetails, type ReportStep } from "./reported.ts";
import { verdictOf } from "../life/transitions.ts";
import { refundVerdictOf } from "../life/verdicts.ts";

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
  const step = { ...context, by: "terminal", reportId, messageId, said: saidBy(report), detail, businessDay } as const;
  const decide = decisions[report.type] ?? chargeOrPayment;
  const known = asKnown(payment, answered);
  const change =
    (answersEarlierTry(payment, report, answered) || isPutAside(payment, report, answered)
      ? record(payment, { ...step, event: report.type })
      : refundStaysDue(payment, report, step, answered)) ??
    decide(known, report, step) ??
    record(payment, { ...step, event: report.type, alerts: contradictions(payment, report) });
  return queriedBy(payment, report, report.disagrees ? withAlert(change, disagreement(report)) : change, answered);
}

/** The alert for a report whose message is about another refund or discount than it names. */
const disagreement = ({ type, refundId, discountId }: Report): RaisedAlert => ({
  alert: "contradictingReport",
  about: refundId ?? discountId,
  detail: `${type} names a message of another ${refundId === undefined ? "discount" : "refund"}`,
});

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
  captured(payment, report, step) {
    if (isOtherThanBooked(payment, report))
      return record(payment, { ...step, event: "captured", alerts: [differs(report.chargeId, report)] });
    // An operator may have recorded the same amount: it is the terminal's own from now on.
    const isBooked = wantedCharge(payment)?.status === "captured";
    return isBooked ? chargeOrPayment(payment, report, step) : captureReported(payment, report, step);
  },
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
