import type { RaisedAlert } from "../../alert.ts";
import { shownMoney } from "../../money.ts";
import { record, type Change } from "../life/advance.ts";
import { booksOfRefund } from "../life/restoring.ts";
import { knownRefund, refundVerdictOf } from "../life/verdicts.ts";
import { refundsOf } from "../record/kept-money.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { concludeRefund, replacedRefund } from "../requests/refund.ts";
import type { Report } from "../record/report.ts";
import { excessText } from "./contradicted.ts";
import { contradictedEvent, contradicting, differs, type ReportStep } from "./reported.ts";

/**
 * The refund that a report names, or else the refund of the message that it answers. It is never an operator's refund outside the platform:
 * a terminal that reports one has moved other money.
 */
const refundOf = ({ refunds }: Payment, { messageId, refundId }: Report): Refund | undefined =>
  refunds
    .filter(({ outsideReference }) => outsideReference === undefined)
    .find((r) => (refundId === undefined ? r.commandId === messageId : r.refundId === refundId));

/** The change by a report of a refund. Undefined if it neither moves the refund nor repeats its success. */
export function refundReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
  const refund = refundOf(payment, report);
  const isMade = report.type === "refunded";
  if (refund?.status === "succeeded" && isMade) return refundRepeated(payment, refund, report, step);
  if (!refund || refundVerdictOf(knownRefund(refund), isMade ? "refunded" : "refundFailed") !== "moves")
    return undefined;
  if (isMade) return refundMade(payment, refund, report, step);
  if (refund.terminalForgot) return refundFailureNotBelieved(payment, refund, report, step);
  if (booksOfRefund(refund, step.answered).failedRefund === "waits")
    return record(payment, { ...step, event: "refundFailed" });
  const { detail: statusDetail, declineCode, hostCode } = report;
  const failed = { status: "failed", statusReason: "terminalReported", statusDetail, declineCode, hostCode } as const;
  return concludeRefund(payment, refund, failed, step);
}

/**
 * Records a repeated report that a refund was made. The money is the terminal's own from then on, even if an operator recorded it first.
 * Another amount or currency raises an alert.
 */
function refundRepeated(payment: Payment, refund: Refund, report: Report, step: ReportStep): Change {
  const recorded = refund.made ?? refund.amount;
  const { amount = recorded, currency = payment.currency } = report;
  if (amount !== recorded || currency !== payment.currency)
    return record(payment, { ...step, event: "refunded", alerts: [differs(refund.refundId, report)] });
  const refunds = refund.correction ? replacedRefund(payment, { ...refund, correction: undefined }) : payment.refunds;
  return record(payment, { ...step, event: "refunded", set: { refunds } });
}

/**
 * Records a failed refund and leaves it in doubt. A terminal that lost its memory cannot know that nothing happened. Only its report that
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

/**
 * Records a refund as made, even if it was reported as failed before. A lower amount than requested is recorded as reported, and of a higher
 * one the requested amount. Each of these raises an alert, and only an operator records more. Another currency is not believed.
 */
function refundMade(payment: Payment, refund: Refund, report: Report, step: ReportStep): Change {
  const { amount = refund.amount, currency = payment.currency } = report;
  const requested = shownMoney(refund.amount, payment.currency);
  if (currency !== payment.currency)
    return refundNotBelieved(payment, refund, differs(refund.refundId, report, requested), step);
  const made = amount < refund.amount ? { ...refund, made: amount } : refund;
  const isOther = amount !== refund.amount;
  const alerts = [
    ...(refund.status === "failed" ? [madeAfterAll(payment, made, report)] : []),
    ...(isOther ? [differs(refund.refundId, report, requested)] : []),
  ];
  const outcome = { status: "succeeded", statusReason: isOther ? "amountDiffers" : undefined } as const;
  const change = concludeRefund(payment, made, outcome, { ...step, alerts });
  return change ?? record(payment, { ...step, event: "refunded" });
}

/** The refund stays pending. If it had failed, it is in doubt from now on, so it counts until an operator decides. */
function refundNotBelieved(payment: Payment, refund: Refund, alert: RaisedAlert, step: ReportStep): Change {
  const doubted = { ...refund, status: "pending", statusReason: "outcomeUnknown", updatedAt: step.now } as const;
  const alerts = [alert];
  if (refund.status !== "failed") return record(payment, { ...step, event: "refunded", alerts });
  const set = { refunds: replacedRefund(payment, doubted) };
  return record(payment, { ...step, event: "refunded", set, alerts, effects: [contradictedEvent(refund.refundId)] });
}

/** The alert for a refund that failed and was made after all. It says by how much the refunds now exceed the captured amount. */
function madeAfterAll(payment: Payment, refund: Refund, report: Report): RaisedAlert {
  const { refundId, chargeId } = refund;
  const succeeded = refundsOf(payment, chargeId).filter(({ status }) => status === "succeeded");
  return contradicting(
    report,
    refundId,
    `the refund is failed${excessText(payment, chargeId, [...succeeded, refund])}`,
  );
}

/** The alerts for a report of a refund that is not a transition: it contradicts the refund, or names none. */
export function refundContradictions(payment: Payment, report: Report): readonly RaisedAlert[] {
  const refund = refundOf(payment, report);
  const known = knownRefund(refund);
  const event = report.type === "refunded" ? "refunded" : "refundFailed";
  return refundVerdictOf(known, event) === "contradicts"
    ? [contradicting(report, refund?.refundId ?? report.refundId, `the refund is ${refund?.status ?? known}`)]
    : [];
}
