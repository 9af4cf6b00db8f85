import type { RaisedAlert } from "../alert.ts";
import type { Deadline, PaymentDeadline } from "../effects.ts";
import { after, later, type Instant } from "../time.ts";
import type { Timings } from "../timings.ts";
import type { PaymentEvent } from "./events.ts";
import { holdsTerminal, isFinal, paymentStates, type Payment, type PaymentState } from "./payment.ts";

/** A payment before and after the change that arms a deadline, and when that is. */
interface Arming {
  readonly before: Payment | undefined;
  readonly next: Payment;
  readonly now: Instant;
  readonly timings: Timings;
}

/** When a deadline is due, and what silence means then. */
export interface Timeout {
  readonly due: (arming: Arming) => Instant;
  /** In any other state the deadline does nothing. */
  readonly in: readonly PaymentState[];
  /** It counts only for the command whose message the payment still awaits an answer to. */
  readonly ofAwaited?: true;
  /** The message that is taken back first, where the terminal has not fetched it; what was fetched may have reached a card. */
  readonly withdraws?: "request" | "awaited";
  /** What happens where the message was taken back. */
  readonly withdrawn?: PaymentEvent;
  /** What happens otherwise. */
  readonly overdue: PaymentEvent;
}

/** What happens to a payment when a deadline passes: the state machine's sister. */
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
    ofAwaited: true,
    overdue: "answerOverdue",
  },
  capture: { due: voidDue, in: ["authorized"], overdue: "captureOverdue" },
  outcome: {
    due: ({ now, timings }) => after(now, timings.outcomeSeconds),
    in: ["captureRequested", "voidRequested"],
    ofAwaited: true,
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

/** What is in doubt when that deadline passes, the payment's own outcome or refunds': an operator is called for each. */
export function doubtsOf({ status, statusReason, refunds }: Payment): readonly RaisedAlert[] {
  const isInDoubt = !isFinal(status) && statusReason === "outcomeUnknown";
  const doubted = refunds.filter((r) => r.status === "pending" && r.statusReason === "outcomeUnknown");
  const ofRefunds = doubted.map(({ refundId: about }) => ({ alert: "outcomeUnknown", about }) as const);
  return isInDoubt || status === "reconciling" ? [{ alert: "outcomeUnknown" }, ...ofRefunds] : ofRefunds;
}

/** An authorization is voided when its time to be captured ends. A void that failed is tried again after a while, not at once and for ever. */
function voidDue({ before, next, now, timings }: Arming): Instant {
  const earliest = before?.captureBefore === undefined ? now : after(now, timings.retryVoidSeconds);
  return later(next.captureBefore ?? now, earliest);
}

/** The timeout that a deadline of this command is to the payment as it stands; undefined where it comes too late to matter. */
export function timeoutOf(payment: Payment, deadline: Deadline, commandId: string): Timeout | undefined {
  if (deadline === "action" || deadline === "reversal" || deadline === "nextReversal") return undefined;
  const timeout = timeouts[deadline];
  const isCurrent = !timeout.ofAwaited || payment.awaiting?.commandId === commandId;
  return isCurrent && timeout.in.includes(payment.status) ? timeout : undefined;
}

/** Whether a deadline of this command will still change the payment, the refund or the reversal that it was set for. */
export function isAwaited(
  payment: Payment,
  { deadline, commandId }: { readonly deadline: Deadline; readonly commandId: string },
): boolean {
  const refund = payment.refunds.find((r) => r.commandId === commandId);
  if (refund) return refund.status === "pending";
  const reversals = payment.charges.filter((c) => c.status === "reversing").map((c) => c.reversal);
  if (deadline === "nextReversal") return reversals.includes(undefined);
  if (deadline === "reversal") return reversals.some((reversal) => reversal?.commandId === commandId);
  const isCurrent = timeoutOf(payment, deadline, commandId) !== undefined;
  return isCurrent && (deadline !== "doubt" || doubtsOf(payment).length > 0);
}

/** The sequence of the message that a timeout takes back; undefined where it takes none. */
export const withdrawnSequence = ({ awaiting }: Payment, { withdraws }: Timeout): number | undefined =>
  withdraws === "request" ? 1 : withdraws && awaiting?.sequence;
