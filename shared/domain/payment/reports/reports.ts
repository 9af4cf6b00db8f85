import type { RaisedAlert } from "../../alert.ts";
import { businessDayOf } from "../../booking.ts";
import { shownMoney } from "../../money.ts";
import { saidBy } from "../record/said.ts";
import { advance, record, withAlert, type Change } from "../life/advance.ts";
import { withAwaited } from "../life/deadlines.ts";
import type { DecisionContext } from "../life/decision.ts";
import { approve, voidedToo } from "./approvals.ts";
import { isChargeReport } from "./charge-verdicts.ts";
import { chargeReported } from "./charges.ts";
import { explainedApproval, mostTaken } from "./explained.ts";
import type { ReportType } from "../record/events.ts";
import { ownCharge, wantedCharge, withCharge, type Charge } from "../record/charge.ts";
import { isFinal, type Payment } from "../record/payment.ts";
import { ownCaptured } from "../record/kept-money.ts";
import { discountReported } from "./discount-reports.ts";
import { refundContradictions, refundReported } from "./refund-reports.ts";
import type { Report } from "../record/report.ts";
import { withEvidence } from "./evidence.ts";
import { contradictedEvent, contradicting, differs, reportedDetails, type ReportStep } from "./reported.ts";
import { afterAnswerBeforeVoid } from "../life/before-void.ts";
import { afterAnswer, booksOf } from "../life/restoring.ts";
import { verdictOf } from "../life/transitions.ts";

/** The change by a report. Undefined if the report is not a transition. */
type Decide = (payment: Payment, report: Report, step: ReportStep) => Change | undefined;

/**
 * The change by a report: at most one transition. A report that is not a transition is recorded, so every report changes the history and
 * none is lost.
 *
 * @param sequence that of the command whose message the report answers, if known
 */
export function decideReport(
  payment: Payment,
  report: Report,
  context: DecisionContext,
  sequence: number | undefined,
): Change {
  const step = stepOf(report, context, sequence);
  const change = withEvidence(payment, changeBy(payment, report, step), report);
  const answered = afterAnswerBeforeVoid(afterAnswer(change.payment, booksOf(payment, step.answered)), step.answered);
  const answer = { ...change, payment: withAwaited(answered) };
  return report.disagrees ? withAlert(answer, disagreement(report)) : answer;
}

/** A terminal's step. An acknowledgement answers nothing, since it says only that a message arrived. */
function stepOf(report: Report, context: DecisionContext, answered: number | undefined): ReportStep {
  const { type, reportId, messageId, detail, businessDay, agoMs, declineCode, hostCode } = report;
  const said = { reportId, messageId, said: saidBy(report), detail, decline: { declineCode, hostCode } };
  return {
    ...context,
    by: "terminal",
    ...said,
    businessDay,
    agoMs,
    answered: type === "acknowledged" ? undefined : answered,
  };
}

/** The transition by a report, or the record of it, with an alert if the report contradicts what is known. A failed earlier try does not. */
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
    const { chargeId } = report;
    const own = ownCharge(payment);
    // A booked charge follows its own rules: an operator may have recorded the same amount, which is the terminal's own from now on.
    const isOwn = own && own.status !== "captured" && (chargeId === undefined || chargeId === own.chargeId);
    const isOpen = isOwn && own.voidReason !== "cancelledByPartner";
    return isOpen ? captureReported(payment, own, report, step) : chargeOrPayment(payment, report, step);
  },
  amountLocked: (payment, { type }, step) => advance(payment, { ...step, event: type, set: { amountLocked: true } }),
};

/** If a report names a charge, that charge's state decides. The payment's table decides on the wanted charge until it is captured. */
const chargeOrPayment: Decide = (payment, report, step) => {
  const { type, chargeId } = report;
  if (!isChargeReport(type)) return move(payment, report, step);
  const charge = chargeId === undefined ? ownCharge(payment) : payment.charges.find((c) => c.chargeId === chargeId);
  if (!charge) return chargeId === undefined ? undefined : unknownReported(payment, report, step);
  return (
    (type === "voided" ? voidedMeanwhile(payment, charge, report, step) : undefined) ??
    chargeReported(payment, charge, { ...report, type }, step) ??
    move(payment, report, step)
  );
};

/** The void of an authorized charge, which only a restoring payment may have requested before. Undefined for any other. */
function voidedMeanwhile(payment: Payment, charge: Charge, report: Report, step: ReportStep): Change | undefined {
  if (charge.status !== "authorized") return undefined;
  const charges = withCharge(payment, { ...charge, status: "voided", contradicted: undefined, updatedAt: step.now });
  return advance(payment, { ...step, event: "voided", set: { ...reportedDetails(payment, report), charges } });
}

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
  if (isFirst && mayBeCaptured(payment, report, step)) return approve(payment, report, step);
  const set = voidedToo(payment, report);
  return record(payment, { ...step, event, set, alerts: [{ alert: "contradictingReport", about }] });
};

/**
 * Whether a capture may be the first news of the payment's own charge: the report answers a message of the payment, and the amount can be
 * its amount. Only a manual capture may be of a part.
 */
function mayBeCaptured(payment: Payment, report: Report, { answered, now }: ReportStep): boolean {
  const { type, amount = 0, currency, tipAmount } = report;
  if (type !== "captured" || answered === undefined || currency !== payment.currency) return false;
  return payment.captureMode === "automatic"
    ? explainedApproval(payment, { amount, tipAmount }, now) !== undefined
    : amount <= mostTaken(payment);
}

/** Records the end of a charge that the books lack. Undefined for any other report, which only contradicts the books. */
function lostReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  if (report.type === "captured") return approve(payment, report, step);
  return report.type === "voided" ? move(payment, report, step) : undefined;
}

/**
 * Records a capture of the payment's own charge, and ends its void. The amount is recorded as reported, and at most as requested. Another
 * amount than the requested one raises an alert. So does a capture that the payment no longer awaits.
 */
function captureReported(payment: Payment, charge: Charge, report: Report, step: ReportStep): Change | undefined {
  const { amount = requestedCapture(payment), currency = payment.currency } = report;
  const isAwaited = payment.status === "captureRequested" || booksOf(payment, step.answered).rows;
  const isOwnCurrency = currency === payment.currency;
  if (isAwaited && !isOwnCurrency)
    return record(payment, { ...step, event: "captured", alerts: [differs(charge.chargeId, report)] });
  const own = { ...charge, status: "authorized", tries: 0, reversal: undefined, voidReason: undefined } as const;
  const most = mostCaptured(payment, step);
  if (most === undefined || !isOwnCurrency) return captureUnrequested(payment, own, report, step);
  const charges = withCharge(payment, { ...own, captured: undefined, capturedOn: undefined });
  const isOther = amount !== requestedCapture(payment);
  return advance(payment, {
    ...step,
    event: "captured",
    captured: Math.min(amount, most),
    set: { ...reportedDetails(payment, report), charges },
    alerts: [
      ...(isAwaited ? [] : [contradiction(payment, report)]),
      ...(isOther ? [differs(charge.chargeId, report)] : []),
    ],
  });
}

/**
 * Keeps the amount of a capture that nobody requested on its charge, which stays authorized. The partner can capture this amount. In another
 * currency the charge is contradicted, and an operator decides.
 */
function captureUnrequested(payment: Payment, own: Charge, report: Report, step: ReportStep): Change | undefined {
  const { amount = own.amount, currency = payment.currency } = report;
  const isOwnCurrency = currency === payment.currency;
  const kept = { captured: amount, capturedOn: businessDayOf(step.businessDay, step.now, payment) };
  return advance(payment, {
    ...step,
    event: "captured",
    set: {
      charges: withCharge(payment, { ...own, ...(isOwnCurrency ? kept : { contradicted: true }), updatedAt: step.now }),
    },
    effects: isOwnCurrency || own.contradicted ? [] : [contradictedEvent(own.chargeId)],
    alerts: [contradiction(payment, report)],
  });
}

const requestedCapture = ({ captureAmount, amounts }: Payment): number => captureAmount ?? amounts.authorized;

/** The most that the terminal may have captured. Undefined if no capture was requested and no request can have been lost. */
function mostCaptured(payment: Payment, { answered }: ReportStep): number | undefined {
  const { status, amounts, captureAmount } = payment;
  if (booksOf(payment, answered).capturesUpTo === "authorized") return amounts.authorized;
  return status === "captureRequested" || captureAmount !== undefined ? requestedCapture(payment) : undefined;
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
function contradictions(payment: Payment, report: Report): readonly RaisedAlert[] {
  const { type } = report;
  if (type === "refunded" || type === "refundFailed") return refundContradictions(payment, report);
  const isByState = verdictOf(payment.status, type) === "contradicts";
  const isByMoney = wasCorrected(payment) && verdictOf("captured", type) === "contradicts";
  return isByState || isByMoney ? [contradiction(payment, report)] : [];
}

/** Whether an operator recorded money for a payment that ended without any. Its status stays. */
const wasCorrected = ({ status, amounts }: Payment): boolean =>
  isFinal(status) && status !== "captured" && amounts.captured > 0;

function contradiction(payment: Payment, report: Report): RaisedAlert {
  const { status, amounts, currency } = payment;
  const recorded = wasCorrected(payment) ? `, and ${shownMoney(amounts.captured, currency)} was recorded` : "";
  return contradicting(report, report.chargeId, `the payment is ${status}${recorded}`);
}
