import type { Payment, PaymentState, StatusReason } from "./payment.ts";

/** What can happen to a payment, by who says so. */
export const paymentEvents = [
  // partner
  "withdrawnByCancel",
  "cancel",
  "capture",
  "refund",
  "discount",
  // platform
  "refused",
  "withdrawnByDeadline",
  "acceptanceOverdue",
  "expiryOverdue",
  "answerOverdue",
  "captureOverdue",
  "outcomeOverdue",
  "messageWithdrawn",
  "voucherReserved",
  // terminal
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
  "refunded",
  "refundFailed",
  "discountApplied",
  "discountRefused",
  "started",
  // operator
  "settledUnpaid",
  "settledPaid",
] as const;
export type PaymentEvent = (typeof paymentEvents)[number];

export const guards = {
  "capture is automatic": (p: Payment) => p.captureMode === "automatic",
  "late approvals are kept": (p: Payment) => p.lateApproval === "keep",
  "the partner asked": (p: Payment) => p.asked === "partner",
  "the platform asked": (p: Payment) => p.asked === "platform",
  "a cancel is remembered": (p: Payment) => p.asked !== undefined,
} as const satisfies Record<string, (payment: Payment) => boolean>;
export type Guard = keyof typeof guards;

/** Where an event leads. Of several rules the first whose guards all hold is taken. */
export interface Rule {
  readonly to: PaymentState;
  readonly when?: readonly Guard[];
  readonly reason?: StatusReason;
}

const to = (state: PaymentState, reason?: StatusReason, ...when: Guard[]): Rule => ({
  to: state,
  ...(reason && { reason }),
  ...(when.length > 0 && { when }),
});

const approvedInTime = [to("captured", undefined, "capture is automatic"), to("authorized")];
const approvedLate = [
  to("captured", undefined, "late approvals are kept", "capture is automatic"),
  to("authorized", undefined, "late approvals are kept"),
  to("voidRequested", "lateApproval"),
];
/** An approval must carry what was asked; anything else, a partial approval included, is taken back. */
const approvedOtherAmount = to("voidRequested", "amountMismatch");
const running = [to("cancelRequested", undefined, "a cancel is remembered"), to("inProgress")];
const ended = {
  declined: to("declined", "terminalReported"),
  failed: to("failed", "terminalReported"),
} as const;
/** What may be said of a running payment's amount without moving it. */
const amountSaid = (state: PaymentState) => ({
  amountLocked: to(state),
  discountApplied: to(state),
  discountRefused: to(state),
});
/** A terminal that starts anew is asked how its payment stands. */
const restarted = (state: PaymentState) => ({ started: to(state) });
const obeyed = [to("expired", "deadlinePassed", "the platform asked"), to("cancelled", "cancelledByPartner")];

/**
 * The whole truth about a payment's life: a pair of state and event that is absent here is not a transition. Reports that
 * come so are recorded without one, partners' requests are refused or replayed, deadlines do nothing.
 */
export const transitions: Record<PaymentState, Partial<Record<PaymentEvent, Rule | readonly Rule[]>>> = {
  pending: {
    refused: to("failed"),
    withdrawnByCancel: to("cancelled", "cancelledByPartner"),
    withdrawnByDeadline: to("expired", "terminalUnreachable"),
    acceptanceOverdue: to("reconciling", "outcomeUnknown"),
    cancel: to("cancelRequested", "cancelledByPartner"),
    accepted: to("inProgress"),
    notStarted: to("expired", "terminalRefused"),
    cancelled: to("cancelled", "cancelledByCustomer"),
    ...ended,
    authorized: approvedInTime,
    authorizedOtherAmount: approvedOtherAmount,
    discount: to("pending"),
    voucherReserved: to("pending"),
    ...amountSaid("pending"),
  },
  inProgress: {
    cancel: to("cancelRequested", "cancelledByPartner"),
    expiryOverdue: to("cancelRequested", "deadlinePassed"),
    cancelled: to("cancelled", "cancelledByCustomer"),
    ...ended,
    authorized: approvedInTime,
    authorizedOtherAmount: approvedOtherAmount,
    discount: to("inProgress"),
    voucherReserved: to("inProgress"),
    ...amountSaid("inProgress"),
    ...restarted("inProgress"),
  },
  cancelRequested: {
    answerOverdue: to("reconciling", "outcomeUnknown"),
    cancelled: obeyed,
    notStarted: obeyed,
    ...ended,
    authorized: approvedLate,
    authorizedOtherAmount: approvedOtherAmount,
    ...amountSaid("cancelRequested"),
    ...restarted("cancelRequested"),
  },
  reconciling: {
    cancel: to("reconciling", "outcomeUnknown"),
    accepted: running,
    stillRunning: running,
    cancelled: [
      to("expired", "deadlinePassed", "the platform asked"),
      to("cancelled", "cancelledByPartner", "the partner asked"),
      to("cancelled", "cancelledByCustomer"),
    ],
    notStarted: [to("cancelled", "cancelledByPartner", "the partner asked"), to("expired", "terminalUnreachable")],
    ...ended,
    authorized: approvedLate,
    authorizedOtherAmount: approvedOtherAmount,
    ...amountSaid("reconciling"),
    ...restarted("reconciling"),
    settledUnpaid: to("failed", "settledByOperator"),
    settledPaid: to("captured", "settledByOperator"),
  },
  authorized: {
    capture: to("captureRequested"),
    cancel: to("voidRequested", "cancelledByPartner"),
    captureOverdue: to("voidRequested", "notCaptured"),
  },
  captureRequested: {
    captured: to("captured"),
    captureFailed: to("authorized", "captureFailed"),
    messageWithdrawn: to("authorized", "captureNotDelivered"),
    outcomeOverdue: to("captureRequested", "outcomeUnknown"),
  },
  captured: {
    refund: to("captured"),
    refunded: to("captured"),
    refundFailed: to("captured"),
  },
  voidRequested: {
    voided: to("voided"),
    // An automatic approval that could not be taken back is money taken: it can be refunded, never captured again.
    voidFailed: [to("captured", "voidFailed", "capture is automatic"), to("authorized", "voidFailed")],
    messageWithdrawn: [
      to("captured", "voidNotDelivered", "capture is automatic"),
      to("authorized", "voidNotDelivered"),
    ],
    outcomeOverdue: to("voidRequested", "outcomeUnknown"),
  },
  voided: {},
  cancelled: {},
  declined: {},
  expired: {},
  failed: {},
};

/** The rule that holds for this payment and event, or undefined when the pair is no transition. */
export function ruleFor(payment: Payment, event: PaymentEvent): Rule | undefined {
  const rules = transitions[payment.status][event];
  if (!rules) return undefined;
  return [rules].flat().find((rule) => (rule.when ?? []).every((guard) => guards[guard](payment)));
}
