// The events of a payment, by the actor that causes them. The API's documents list them in these orders.

export const actors = ["partner", "terminal", "platform", "operator"] as const;
export type Actor = (typeof actors)[number];

const partnerEvents = ["withdrawnByCancel", "cancel", "capture", "refund", "discount"] as const;

const platformEvents = [
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
  "restored",
] as const;

/**
 * The events of terminals' reports. An approval of another amount than the requested one is an event of its own. So are a restart (`forgot`
 * if the terminal lost its memory) and the void of an unwanted charge (`reversed`).
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

/** The types of a terminal's reports about a payment. */
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
