import type { RaisedAlert } from "../../alert.ts";
import type { Deadline, PaymentDeadline } from "../../effects.ts";
import { after, later, type Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import type { PaymentEvent } from "../record/events.ts";
import { booksOf } from "./restoring.ts";
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
export const timeouts: Readonly<Record<PaymentDeadline, Timeout>> = {
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
    due: ({ now, timings }) => after(now, timings.outcomeSeconds),
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
 * An alert for each outcome that is in doubt when this command's deadline `doubt` passes: the payment's own, and those of its refunds. The
 * payment's own is also in doubt while the terminal has not answered the status query of a restore.
 */
export function doubtsOf(payment: Payment, commandId: string): readonly RaisedAlert[] {
  const { status, statusReason, refunds } = payment;
  const isRestoring = booksOf(payment).query === "unanswered";
  const isInDoubt = !isFinal(status) && (statusReason === "outcomeUnknown" || isRestoring);
  const doubted = refunds.filter((r) => r.status === "pending" && r.statusReason === "outcomeUnknown");
  const ofRefunds = doubted
    .filter(({ doubtedBy = commandId }) => doubtedBy === commandId)
    .map(({ refundId: about }) => ({ alert: "outcomeUnknown", about }) as const);
  const isOwn = (isInDoubt || status === "reconciling") && isLatest(payment, "doubt", commandId);
  return isOwn ? [{ alert: "outcomeUnknown" }, ...ofRefunds] : ofRefunds;
}

/**
 * The end of the time to capture an authorization, at which it is voided. After a failed capture that is at least `retryVoidSeconds` later,
 * so that the partner can request it again.
 */
export const captureBefore = (before: Payment, now: Instant, timings: Timings): Instant =>
  before.captureBefore === undefined
    ? after(now, timings.captureSeconds)
    : later(before.captureBefore, after(now, timings.retryVoidSeconds));

/** Whether the payment has set no later deadline of this name. Its row does not name the latest if an older release wrote it. */
const isLatest = ({ deadlines }: Payment, deadline: PaymentDeadline, commandId: string): boolean =>
  (deadlines?.[deadline] ?? commandId) === commandId;

/** The timeout of a deadline of this command. Undefined if the payment no longer awaits it. */
export function timeoutOf(payment: Payment, deadline: Deadline, commandId: string): Timeout | undefined {
  if (!isOfState(deadline)) return undefined;
  const timeout = timeouts[deadline];
  const isCurrent =
    deadline === "doubt" ? doubtsOf(payment, commandId).length > 0 : isLatest(payment, deadline, commandId);
  return isCurrent && timeout.in.includes(payment.status) ? timeout : undefined;
}

const isOfState = (deadline: Deadline): deadline is PaymentDeadline => deadline in timeouts;

/** Whether a deadline of this command would still change the payment, the refund or the reversal that it was set for. */
export function isAwaited(
  payment: Payment,
  { deadline, commandId }: { readonly deadline: Deadline; readonly commandId: string },
): boolean {
  const refund = payment.refunds.find((r) => r.commandId === commandId);
  if (refund) return refund.status === "pending";
  const reversals = payment.charges.filter((c) => c.status === "reversing").map((c) => c.reversal);
  if (deadline === "nextReversal") return reversals.includes(undefined);
  if (deadline === "reversal") return reversals.some((reversal) => reversal?.commandId === commandId);
  return timeoutOf(payment, deadline, commandId) !== undefined;
}

/** The sequence of the message that a timeout withdraws. Undefined if it withdraws none. */
export const withdrawnSequence = ({ awaiting }: Payment, { withdraws }: Timeout): number | undefined =>
  withdraws === "request" ? 1 : withdraws && awaiting?.sequence;
