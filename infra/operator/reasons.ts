import type { HistoryEntry } from "../../shared/domain/payment/advance.ts";
import type { Payment, PaymentState, StatusReason } from "../../shared/domain/payment/payment.ts";

/** The sentence that answers why a payment is as it is. */
export function because({
  status,
  statusReason,
  statusDetail,
}: Pick<Payment, "status" | "statusReason" | "statusDetail">): string {
  const why = statusReason === undefined ? states[status] : reasons[statusReason];
  const words = statusDetail === undefined ? "" : ` The terminal's words: ${JSON.stringify(statusDetail)}.`;
  return `It is ${status} because ${why}${statusReason === undefined ? "" : ` (${statusReason})`}.${words}`;
}

const reasons: Readonly<Record<StatusReason, string>> = {
  terminalBusy: "another payment held the terminal when this one was to be admitted; no card was charged",
  possibleDuplicate:
    "another session pays the same order, merchant and amount, and the partner did not confirm a duplicate",
  terminalUnreachable: "the terminal did not begin it in time; no card was charged",
  terminalRefused: "the terminal reported that it did not begin it",
  terminalReported: "the terminal reported this outcome",
  cancelledByPartner: "the partner cancelled it",
  cancelledByCustomer: "the customer cancelled it at the terminal",
  deadlinePassed: "no approval came before its expiresAt, and the platform had the terminal cancel it",
  lateApproval: "the approval came after a cancel or a deadline, and the payment does not keep late approvals",
  amountMismatch: "the terminal approved another amount than the requested one, which is never kept",
  outcomeUnknown: "the terminal has not reported the outcome; the platform does not guess it",
  captureFailed: "the terminal failed to capture the authorization, which still stands",
  captureNotDelivered: "the terminal did not fetch the capture in time, and the authorization still stands",
  voidFailed: "the terminal failed to void the authorization, which still stands",
  voidNotDelivered: "the terminal did not fetch the void in time, and the authorization still stands",
  notCaptured: "the partner did not capture it before its captureBefore",
  settledByOperator: "an operator recorded the outcome, which the terminal did not report",
};

/** For payments without a reason: their state is what the last change made it. */
const states: Readonly<Record<PaymentState, string>> = {
  pending: "the terminal has not accepted it yet",
  inProgress: "the terminal has accepted it, and has not reported the outcome yet",
  cancelRequested: "the terminal has not answered its cancel yet",
  reconciling: "the terminal has not reported the outcome; the platform does not guess it",
  authorized: "the terminal approved it, and the partner has not captured it yet",
  captureRequested: "the partner requested the capture, and the terminal has not reported it yet",
  captured: "the terminal approved the requested amount and the money is captured",
  voidRequested: "its authorization is being voided, and the terminal has not reported that yet",
  voided: "its authorization was voided; no money was taken",
  cancelled: "it was cancelled before a card was charged",
  declined: "the terminal reported that the card was declined",
  expired: "its time ended before a card was charged",
  failed: "it could not be carried out",
};

/** A change as a sentence without its end: who did what. */
export function deed({ by, event }: Pick<HistoryEntry, "by" | "event">): string {
  return `${actors[by]} ${deeds[event].replace("reported", verbs[by])}`;
}

const actors: Readonly<Record<HistoryEntry["by"], string>> = {
  partner: "The partner",
  terminal: "The terminal",
  platform: "The platform",
  operator: "An operator",
};

/** What a terminal reports, an operator may record, and the platform conclude from silence. */
const verbs: Readonly<Record<HistoryEntry["by"], string>> = {
  partner: "stated",
  terminal: "reported",
  platform: "concluded",
  operator: "recorded",
};

const deeds: Readonly<Record<HistoryEntry["event"], string>> = {
  request: "requested the payment",
  withdrawnByCancel: "cancelled it before the terminal had fetched it",
  cancel: "requested a cancel",
  capture: "requested the capture",
  refund: "requested a refund",
  discount: "requested a discount",
  refused: "refused to admit it to the terminal",
  withdrawnByDeadline: "took it back: the terminal had not fetched it in time",
  acceptanceOverdue: "got no report that the terminal accepted it in time",
  expiryOverdue: "ended it at its expiresAt and requested a cancel",
  answerOverdue: "got no answer to the cancel in time",
  captureOverdue: "found it uncaptured at its captureBefore",
  outcomeOverdue: "got no outcome from the terminal in time",
  doubtOverdue: "still had no outcome at the end of the time for doubts",
  messageWithdrawn: "took back a message that the terminal had not fetched in time",
  voucherReserved: "reserved the voucher",
  reversalBegun: "began to reverse a charge",
  reversalOverdue: "began the next try to reverse a charge",
  reversalFailed: "gave up the reversal of a charge",
  markedDuplicate: "marked it as a possible duplicate",
  restored: "restored it from an export, and queried the terminal how it stands",
  accepted: "reported that it accepted the payment",
  amountLocked: "reported that the amount is locked",
  authorized: "reported an approval",
  authorizedOtherAmount: "reported an approval of another amount than the requested one",
  declined: "reported that the card was declined",
  failed: "reported a failure",
  cancelled: "reported that the payment was cancelled",
  notStarted: "reported that it did not begin the payment",
  stillRunning: "reported that the payment still runs",
  acknowledged: "reported that a message arrived",
  captured: "reported a capture",
  captureFailed: "reported that the capture failed",
  voided: "reported a void",
  voidFailed: "reported that the void failed",
  reversed: "reported that an unwanted charge was given back",
  refunded: "reported a refund",
  refundFailed: "reported that the refund failed",
  discountApplied: "reported that a discount was applied",
  discountRefused: "reported that a discount was refused",
  started: "reported a restart",
  forgot: "reported a restart in which it lost its memory",
  settledUnpaid: "recorded that the payment is not paid",
  settledPaid: "recorded that the payment is paid",
  chargeKept: "recorded that the merchant keeps a charge",
  corrected: "corrected what is recorded",
};
