import type { OtherEvent, PaymentEvent, ReportEvent } from "../record/events.ts";
import type { VoidReason } from "../record/charge.ts";
import type { PaymentState } from "../record/payment.ts";
import { afterApproval, agrees, beforeApproval, contradicts, type Verdict } from "./verdicts.ts";
import { again, stays, to, type Rule } from "./rules.ts";
import { restoredTo } from "./restoring.ts";
import { approvedInTime, approvedLate, approvedOtherAmount, capturedAlready } from "./approval-rules.ts";

type Rules = Rule | readonly Rule[];
type Row = Readonly<Record<ReportEvent, Rules | Verdict> & Partial<Record<OtherEvent, Rules>>>;

const running = [to("cancelRequested", { when: ["a cancel is remembered"] }), to("inProgress")];
const byReport = { reason: "terminalReported" } as const;
const ended = { declined: to("declined", byReport), failed: to("failed", byReport) };
const cancelled = to("cancelled", { reason: "cancelledByPartner" });
const obeyed = [to("expired", { reason: "deadlinePassed", when: ["the platform requested the cancel"] }), cancelled];
/** The payment's own charge is given back, by tries. */
const givesBack = (reverses: VoidReason, more: Partial<Rule> = {}): Rule =>
  to("voidRequested", { reason: reverses, reverses, ...more });
/** Every charge is given back. The payment's own reason outlasts failed tries and a restore. */
const givenBack = [to("voided", { reason: "kept", when: ["every charge is closed"] }), stays("voidRequested")];
const cancelByPartner = to("cancelRequested", { reason: "cancelledByPartner", cancelBy: "partner" });
/** Resolutions by an operator, if the terminal sends no more reports. */
const resolvable = {
  settledPaid: to("captured", { reason: "settledByOperator" }),
  settledUnpaid: to("voided", { reason: "settledByOperator" }),
};

/** Events outside a payment's own course: unwanted charges, refunds, and corrections by an operator. */
const beside = (state: PaymentState) => ({
  reversed: stays(state),
  reversalBegun: stays(state),
  reversalOverdue: stays(state),
  reversalFailed: stays(state),
  chargeKept: stays(state),
  refund: stays(state),
  refunded: stays(state),
  refundFailed: stays(state),
  doubtOverdue: stays(state),
  corrected: stays(state),
});

/** A terminal that lost its memory may have charged a card. Only a report of money, or an operator, ends the doubt. */
const forgot = to("reconciling", { reason: "outcomeUnknown" });
/** A status query is sent, and the awaited message stays the same. An operator is alerted a day after the first doubt. */
const doubted = { reason: "outcomeUnknown", sends: "statusQuery" } as const;
const captureDoubted = (more: Partial<Rule>) => again("captureRequested", { ...doubted, ...more });
const inDoubt = [captureDoubted({ when: ["its outcome is in doubt"] }), captureDoubted({ arms: "doubt" })];
const notBelieved = (state: PaymentState) => stays(state, { when: ["the terminal forgot"], raises: "outcomeUnknown" });
/** A late report that the payment still runs does not end the doubt. The payment would be cancelled, doubted and queried forever. */
const runsForTooLong = stays("reconciling", { when: ["it has run for too long"], raises: "outcomeUnknown" });

/** Reports on a running payment's amount. */
const amountSaid = (state: PaymentState) => ({
  amountLocked: stays(state),
  discountApplied: stays(state),
  discountRefused: stays(state),
});
/** An end without money. Every report that no money moved agrees with it. A charge that is reported later is reversed. */
const withoutMoney = (state: PaymentState): Row => ({
  ...afterApproval,
  ...beside(state),
  declined: agrees,
  failed: agrees,
  cancelled: agrees,
  notStarted: agrees,
  captured: contradicts,
  captureFailed: agrees,
  voided: agrees,
  voidFailed: contradicts,
});

/**
 * The payment state machine. Every state decides for every report whether it moves the payment, agrees with it or contradicts it. A missing
 * pair is not a transition: a report is only recorded, a partner's request is refused or replayed, and a timeout is ignored. If the payment
 * is restoring, its own rows come first. The event `restored` leads to them.
 */
const transitions: Readonly<Record<PaymentState, Row>> = {
  pending: {
    ...beforeApproval,
    forgot,
    restored: restoredTo("reconciling"),
    withdrawnByCancel: cancelled,
    withdrawnByDeadline: to("expired", { reason: "terminalUnreachable" }),
    acceptanceOverdue: to("reconciling", { reason: "outcomeUnknown" }),
    cancel: cancelByPartner,
    accepted: to("inProgress"),
    notStarted: to("expired", { reason: "terminalRefused" }),
    cancelled: to("cancelled", { reason: "cancelledByCustomer" }),
    ...ended,
    authorized: approvedInTime,
    captured: approvedInTime,
    authorizedOtherAmount: approvedOtherAmount,
    discount: stays("pending"),
    voucherReserved: stays("pending"),
    ...amountSaid("pending"),
  },
  inProgress: {
    ...beforeApproval,
    forgot,
    restored: restoredTo("reconciling"),
    cancel: cancelByPartner,
    expiryOverdue: to("cancelRequested", { reason: "deadlinePassed", cancelBy: "platform" }),
    notStarted: contradicts,
    cancelled: to("cancelled", { reason: "cancelledByCustomer" }),
    ...ended,
    authorized: approvedInTime,
    captured: approvedInTime,
    authorizedOtherAmount: approvedOtherAmount,
    discount: stays("inProgress"),
    voucherReserved: stays("inProgress"),
    ...amountSaid("inProgress"),
    started: stays("inProgress"),
  },
  cancelRequested: {
    ...beforeApproval,
    forgot,
    restored: restoredTo("reconciling"),
    cancel: stays("cancelRequested", { cancelBy: "partner" }),
    answerOverdue: to("reconciling", { reason: "outcomeUnknown" }),
    cancelled: obeyed,
    notStarted: obeyed,
    ...ended,
    authorized: approvedLate,
    captured: approvedLate,
    authorizedOtherAmount: approvedOtherAmount,
    ...amountSaid("cancelRequested"),
    started: stays("cancelRequested"),
  },
  reconciling: {
    ...beforeApproval,
    restored: restoredTo("reconciling"),
    cancel: [
      again("reconciling", {
        reason: "outcomeUnknown",
        cancelBy: "partner",
        sends: "cancel",
        when: ["no cancel is remembered"],
      }),
      stays("reconciling", { cancelBy: "partner" }),
    ],
    forgot: again("reconciling", { reason: "outcomeUnknown", sends: "statusQuery" }),
    accepted: [notBelieved("reconciling"), runsForTooLong, ...running],
    stillRunning: [notBelieved("reconciling"), runsForTooLong, ...running],
    cancelled: [
      notBelieved("reconciling"),
      to("expired", { reason: "deadlinePassed", when: ["the platform requested the cancel"] }),
      to("cancelled", { reason: "cancelledByPartner", when: ["the partner requested the cancel"] }),
      to("cancelled", { reason: "cancelledByCustomer" }),
    ],
    notStarted: [
      notBelieved("reconciling"),
      to("cancelled", { reason: "cancelledByPartner", when: ["the partner requested the cancel"] }),
      to("expired", { reason: "terminalUnreachable" }),
    ],
    declined: [notBelieved("reconciling"), ended.declined],
    failed: [notBelieved("reconciling"), ended.failed],
    authorized: approvedLate,
    captured: capturedAlready,
    authorizedOtherAmount: approvedOtherAmount,
    ...amountSaid("reconciling"),
    started: stays("reconciling"),
    doubtOverdue: stays("reconciling"),
    settledUnpaid: to("failed", { reason: "settledByOperator" }),
    settledPaid: to("captured", { reason: "settledByOperator" }),
  },
  authorized: {
    ...afterApproval,
    ...resolvable,
    ...beside("authorized"),
    restored: restoredTo("authorized"),
    capture: to("captureRequested"),
    cancel: givesBack("cancelledByPartner", { cancelBy: "partner" }),
    captureOverdue: [
      stays("authorized", { when: ["an operator must decide"], raises: "contradictingReport" }),
      // The partner asked to capture it, so it is not given back unless the terminal says that it still holds the authorization.
      stays("authorized", { when: ["its capture failed"], sends: "statusQuery", arms: "doubt", asksToVoid: true }),
      stays("authorized", { when: ["its capture was requested"], raises: "captureWaits" }),
      givesBack("notCaptured"),
    ],
    captured: [
      to("captured", { captures: "requested", when: ["its capture was requested"] }),
      stays("authorized"), // the amount is kept on the charge
    ],
    captureFailed: agrees,
    voided: contradicts,
    voidFailed: agrees,
  },
  captureRequested: {
    ...afterApproval,
    ...resolvable,
    ...beside("captureRequested"),
    restored: restoredTo("captureRequested"),
    withdrawnByCancel: givesBack("cancelledByPartner", { cancelBy: "partner" }),
    captured: to("captured", { captures: "requested" }),
    captureFailed: [notBelieved("captureRequested"), to("authorized", { reason: "captureFailed" })],
    forgot: inDoubt,
    messageWithdrawn: to("authorized", { reason: "captureNotDelivered" }),
    outcomeOverdue: inDoubt,
    voided: contradicts,
    voidFailed: agrees,
  },
  captured: {
    ...afterApproval,
    ...beside("captured"),
    discountApplied: stays("captured"),
    discountRefused: stays("captured"),
    captured: agrees,
    captureFailed: contradicts,
    voided: contradicts,
    voidFailed: agrees,
  },
  voidRequested: {
    ...afterApproval,
    ...resolvable,
    ...beside("voidRequested"),
    restored: restoredTo("voidRequested"),
    voided: givenBack,
    reversed: givenBack,
    chargeKept: givenBack,
    reversalFailed: [
      again("voidRequested", { reason: "voidFailed", when: ["its own charge is not given back"] }),
      stays("voidRequested"),
    ],
    // Only of its own charge, and only if the void began because it was not captured in time.
    captured: [to("captured", { captures: "requested", when: ["its capture was requested"] }), to("authorized")],
    captureFailed: agrees,
    voidFailed: agrees,
  },
  voided: withoutMoney("voided"),
  cancelled: withoutMoney("cancelled"),
  declined: withoutMoney("declined"),
  expired: withoutMoney("expired"),
  failed: withoutMoney("failed"),
};

/** The rules for a state and event, in the order in which they are tried. Empty if the pair is not a transition. */
export function rulesFor(state: PaymentState, event: PaymentEvent): readonly Rule[] {
  const cell = transitions[state][event];
  return typeof cell === "object" ? [cell].flat() : [];
}

/** The verdict on a report for a payment in this state. */
export function verdictOf(state: PaymentState, event: ReportEvent): "moves" | Verdict {
  const cell = transitions[state][event];
  return typeof cell === "string" ? cell : "moves";
}
