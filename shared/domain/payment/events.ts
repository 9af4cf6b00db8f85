// What can happen to a payment, by who says so. The orders are those in which the API's documents list them.

const partnerEvents = ["withdrawnByCancel", "cancel", "capture", "refund", "discount"] as const;

const platformEvents = [
  "refused",
  "withdrawnByDeadline",
  "acceptanceOverdue",
  "expiryOverdue",
  "answerOverdue",
  "captureOverdue",
  "outcomeOverdue",
  "doubtOverdue",
  "messageWithdrawn",
  "voucherReserved",
  "reversalBegun",
  "reversalOverdue",
  "reversalFailed",
  "markedDuplicate",
] as const;

/**
 * A terminal's reports. An approval of another amount than was requested is an event of its own, and so are a restart (`forgot` where the
 * terminal lost its memory), and the void of a charge that is not wanted (`reversed`).
 */
export const reportEvents = [
  "accepted",
  "amountLocked",
  "authorized",
  "authorizedOtherAmount",
  "declined",
  "failed",
  "cancelled",
  "notStarted",
  "stillRunning",
  "acknowledged",
  "captured",
  "captureFailed",
  "voided",
  "voidFailed",
  "reversed",
  "refunded",
  "refundFailed",
  "discountApplied",
  "discountRefused",
  "started",
  "forgot",
] as const;
export type ReportEvent = (typeof reportEvents)[number];

const operatorEvents = ["settledUnpaid", "settledPaid", "chargeKept", "corrected"] as const;

export const paymentEvents = [...partnerEvents, ...platformEvents, ...reportEvents, ...operatorEvents] as const;
export type PaymentEvent = (typeof paymentEvents)[number];
export type OtherEvent = Exclude<PaymentEvent, ReportEvent>;

/** What a terminal may report of a payment. */
export const reportTypes = [
  "acknowledged",
  "accepted",
  "amountLocked",
  "authorized",
  "declined",
  "cancelled",
  "notStarted",
  "stillRunning",
  "failed",
  "captured",
  "captureFailed",
  "voided",
  "voidFailed",
  "refunded",
  "refundFailed",
  "discountApplied",
  "discountRefused",
] as const satisfies readonly Exclude<ReportEvent, "authorizedOtherAmount" | "reversed" | "started" | "forgot">[];
export type ReportType = (typeof reportTypes)[number];
