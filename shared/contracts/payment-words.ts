import type { HistoryEntry } from "../domain/payment/record/history-entry.ts";
import type { PaymentState, Refund, StatusReason } from "../domain/payment/record/payment.ts";

// The meaning of each status, reason and change of a payment, as a clause. The API's documents and the answers to operators use it.

/** The reason of a status. The clause fits after "because". */
export const reasonClauses: Readonly<Record<StatusReason, string>> = {
  terminalUnreachable: "the terminal did not start it in time",
  terminalRefused: "the terminal reported that it did not start it",
  terminalReported: "the terminal reported this outcome",
  cancelledByPartner: "the partner cancelled it",
  cancelledByCustomer: "the customer cancelled it at the terminal",
  deadlinePassed: "there was no approval before its expiresAt, and the platform cancelled it on the terminal",
  lateApproval: "the approval came after a cancel or a deadline",
  amountMismatch: "the terminal approved another amount than the requested one",
  outcomeUnknown: "the terminal has not reported the outcome; the platform does not guess it",
  captureFailed: "the terminal failed to capture the authorization",
  captureNotDelivered: "the terminal did not fetch the capture in time",
  voidFailed: "the terminal failed to void the authorization",
  notCaptured: "the partner did not capture it before its captureBefore",
  settledByOperator: "an operator recorded the outcome",
};

/** A payment's status. The clause fits after "because". */
export const stateClauses: Readonly<Record<PaymentState, string>> = {
  pending: "the terminal has not accepted it yet",
  inProgress: "the terminal has accepted it, and has not reported the outcome yet",
  cancelRequested: "the terminal has not answered its cancel yet",
  reconciling: "the terminal has not reported the outcome; the platform does not guess it",
  authorized: "the terminal approved it, and the partner has not captured it yet",
  captureRequested: "the partner requested the capture, and the terminal has not reported it yet",
  captured: "the terminal reported that it was approved and captured",
  voidRequested: "its charges are being returned, and the terminal has not reported all of them yet",
  voided: "the terminal reported that its authorization was voided",
  cancelled: "it was cancelled before an approval was reported",
  declined: "the terminal reported that the card was declined",
  expired: "its expiresAt passed before an approval was reported",
  failed: "it could not be carried out",
};

/** The reason of a refund's status. */
export const refundReasonClauses: Readonly<Record<NonNullable<Refund["statusReason"]>, string>> = {
  notDelivered: "the terminal did not fetch the refund in time, so no money was returned",
  cancelledByPartner: "the partner withdrew it before the terminal had fetched it",
  outcomeUnknown: "the terminal has not reported whether it made the refund; the platform does not guess it",
  terminalReported: "the terminal reported this outcome",
  settledByOperator: "an operator recorded the outcome",
  exceedsRefundable:
    "an earlier refund that had failed was made after all, and the rest of the charge does not cover this one",
  alreadyRefunded: "an earlier refund of the same amount that had failed was made after all",
  chargeContradicted: "the terminal reported a void of the charge that nobody requested",
  amountDiffers: "the terminal reported another amount than was requested; an operator compares it with the acquirer",
};

/** A change of a payment. The clause follows its actor: "The partner", "requested the capture". */
export const changeClauses: Readonly<Record<HistoryEntry["event"], string>> = {
  request: "requested the payment",
  withdrawnByCancel: "cancelled it before the terminal had fetched its message",
  cancel: "requested a cancel",
  capture: "requested the capture",
  refund: "requested a refund",
  discount: "requested a discount",
  withdrawnByDeadline: "withdrew it, because the terminal had not fetched it in time",
  acceptanceOverdue: "got no report that the terminal accepted it in time",
  expiryOverdue: "ended it at its expiresAt and requested a cancel",
  answerOverdue: "got no answer to the cancel in time",
  captureOverdue: "found it uncaptured at its captureBefore",
  outcomeOverdue: "got no outcome from the terminal in time",
  doubtOverdue: "still had no outcome, and called an operator",
  messageWithdrawn: "withdrew a message that the terminal had not fetched in time",
  voucherReserved: "reserved the voucher",
  reversalBegun: "began to reverse a charge",
  reversalOverdue: "found that a charge was not returned yet, and goes on trying",
  reversalFailed: "stopped trying to reverse a charge",
  restored: "restored it from an export, and queried its terminal",
  accepted: "reported that it accepted the payment",
  amountLocked: "reported that the amount is locked",
  authorized: "reported an approval",
  authorizedOtherAmount: "reported an approval of another amount than the requested one",
  declined: "reported that the card was declined",
  failed: "reported a failure",
  cancelled: "reported that the payment was cancelled",
  notStarted: "reported that it did not start the payment",
  stillRunning: "reported that the payment still runs",
  acknowledged: "reported that a message arrived",
  captured: "reported a capture",
  captureFailed: "reported that the capture failed",
  voided: "reported a void",
  voidFailed: "reported that the void failed",
  reversed: "reported that an unwanted charge was returned",
  refunded: "reported a refund",
  refundFailed: "reported that the refund failed",
  discountApplied: "reported that a discount was applied",
  discountRefused: "reported that a discount was refused",
  started: "reported a restart",
  forgot: "reported a restart in which it lost its memory",
  settledUnpaid: "recorded that the payment is not paid",
  settledPaid: "recorded that the payment is paid",
  chargeKept: "recorded that the merchant keeps a charge",
  corrected: "corrected the books",
};
