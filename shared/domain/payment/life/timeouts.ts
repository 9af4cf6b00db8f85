import type { RaisedAlert } from "../../alert.ts";
import { after, later, type Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import { isOfState, type Deadline, type StateDeadline } from "../record/deadline.ts";
import type { PaymentEvent } from "../record/events.ts";
import { beforeTable, booksOf } from "./restoring.ts";
import type { Rule } from "./rules.ts";
import { holdsTerminal, isFinal, paymentStates, type Payment, type PaymentState } from "../record/payment.ts";

/** A payment after the change that arms a deadline, and the time of the change. */
interface Arming {
  readonly next: Payment;
  readonly now: Instant;
  readonly timings: Timings;
}

/** When a deadline is due, and what happens then. */
export interface Timeout {
  readonly due: (arming: Arming) => Instant;
  /** In any other state the deadline does nothing. */
  readonly in: readonly PaymentState[];
  /** The message that is withdrawn first if the terminal has not fetched it. A fetched message may have reached a card. */
  readonly withdraws?: "request" | "awaited";
  /** The event if the message was withdrawn. */
  readonly withdrawn?: PaymentEvent;
  /** The event otherwise. */
  readonly overdue: PaymentEvent;
}

/** The effect of each passed deadline on a payment. This table complements the table of transitions. */
export const timeouts: Readonly<Record<StateDeadline, Timeout>> = {
  acceptance: {
    due: ({ now, timings }) => after(now, timings.acceptanceSeconds),
    in: ["pending"],
    withdraws: "request",
    withdrawn: "withdrawnByDeadline",
    overdue: "acceptanceOverdue",
  },
  expiry: { due: ({ next }) => next.expiresAt, in: ["inProgress"], overdue: "expiryOverdue" },
  answer: {
    due: ({ now, timings }) => after(now, timings.answerSeconds),
    in: ["cancelRequested"],
    overdue: "answerOverdue",
  },
  capture: { due: ({ next, now }) => next.captureBefore ?? now, in: ["authorized"], overdue: "captureOverdue" },
  outcome: {
    due: ({ next, now, timings }) => next.captureWaits?.until ?? after(now, timings.outcomeSeconds),
    in: ["captureRequested"],
    withdraws: "awaited",
    withdrawn: "messageWithdrawn",
    overdue: "outcomeOverdue",
  },
  doubt: {
    due: ({ now, timings }) => after(now, timings.doubtSeconds),
    in: ["reconciling", ...paymentStates.filter((state) => !holdsTerminal(state))],
    overdue: "doubtOverdue",
  },
};

/**
 * The alert of the outcome that a deadline `doubt` is about, if it is still in doubt. The payment's own is also in doubt while the terminal
 * has not answered the status query of a restore, or the one before a void.
 *
 * @param about the refund; undefined for the payment
 */
export function doubtsOf(payment: Payment, about: string | undefined): readonly RaisedAlert[] {
  const { status, statusReason, refunds, askedToVoid } = payment;
  const isAsked = booksOf(payment).query === "unanswered" || askedToVoid !== undefined;
  const isOwn = !isFinal(status) && (status === "reconciling" || statusReason === "outcomeUnknown" || isAsked);
  const isOfRefund = refunds.some(
    (refund) => refund.refundId === about && refund.status === "pending" && refund.statusReason === "outcomeUnknown",
  );
  return (about === undefined ? isOwn : isOfRefund) ? [{ alert: "outcomeUnknown", about }] : [];
}

/**
 * The end of the time to capture an authorization. It is then voided if nobody asked to capture it. After a failed capture that is at least
 * `retryVoidSeconds` later, so that the partner can request it again. One that was not delivered does not move it.
 */
export function captureBefore(
  { captureBefore: before }: Payment,
  { arms, reason }: Pick<Rule, "arms" | "reason">,
  now: Instant,
  timings: Timings,
): Instant | undefined {
  if (arms !== "capture") return before;
  if (before === undefined) return after(now, timings.captureSeconds);
  return reason === "captureNotDelivered" ? before : later(before, after(now, timings.retryVoidSeconds));
}

/** The timeout of a deadline of a payment's state, or of a doubt about its refund. Undefined if the payment does not await it. */
export function timeoutOf(payment: Payment, { name, about }: Pick<Deadline, "name" | "about">): Timeout | undefined {
  if (!isOfState(name)) return undefined;
  const timeout = timeouts[name];
  const isOver = name === "doubt" && doubtsOf(payment, about).length === 0;
  return !isOver && timeout.in.includes(payment.status) ? timeout : undefined;
}

/** Whether a deadline would still change the payment, the refund or the reversal that it was set for. */
export function isAwaited(payment: Payment, { name, about }: Pick<Deadline, "name" | "about">): boolean {
  const { refunds, charges } = payment;
  const reversing = charges.filter(({ status }) => status === "reversing");
  if (name === "nextReversal") return reversing.some(({ reversal }) => reversal === undefined);
  if (name === "reversal")
    return reversing.some(({ chargeId, reversal }) => chargeId === about && reversal !== undefined);
  if (name === "outcome" && about !== undefined)
    return refunds.some(({ refundId, status }) => refundId === about && status === "pending");
  return timeoutOf(payment, { name, about }) !== undefined;
}

/** Whether the event of a deadline waits for the answer to a restore's query. A look for its moment does nothing, and is not repeated. */
export const waitsForAnswer = (payment: Payment, { name }: Deadline): boolean =>
  isOfState(name) && beforeTable(payment, timeouts[name].overdue) === "waits";

/** The sequence of the message that a timeout withdraws. Undefined if it withdraws none. */
export const withdrawnSequence = ({ awaiting }: Payment, { withdraws }: Timeout): number | undefined =>
  withdraws === "request" ? 1 : withdraws && awaiting?.sequence;
