import { record, type Change } from "./advance.ts";
import type { Payment, Refund } from "./payment.ts";
import { concludeRefund, replacedRefund } from "./refund.ts";
import { differs, type Report, type ReportStep } from "./report.ts";

/** The refund that a report is about: that of the message that it answers, or the one that it names. */
export const refundOf = ({ refunds }: Payment, { messageId, refundId }: Report): Refund | undefined =>
  refunds.find((r) => r.commandId === messageId) ?? refunds.find((r) => r.refundId === refundId);

/** The change by a report of a refund; undefined if the refund is not pending. */
export function refundReported(payment: Payment, report: Report, step: ReportStep): Change | undefined {
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
export function refundStaysDue(
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
