import { record, type Change } from "../life/advance.ts";
import type { DecisionContext } from "../life/decision.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { replacedRefund } from "./refund.ts";
import { after, type Instant } from "../../time.ts";

// Refunds whose message the terminal has fetched and not answered: each may have been made.

/**
 * The refunds after the terminal lost its memory. A pending refund is in doubt if the terminal had fetched its message, since it may have
 * been made. Undefined if there is no such refund, or if all are already in doubt for this reason.
 *
 * @param messageIds the messages that the terminal had fetched and not answered
 */
export function forgottenRefunds(
  { refunds }: Payment,
  messageIds: ReadonlySet<string>,
  now: Instant,
): readonly Refund[] | undefined {
  const isNew = ({ commandId, status, terminalForgot }: Refund): boolean =>
    status === "pending" && terminalForgot !== true && messageIds.has(commandId);
  const inDoubt = { statusReason: "outcomeUnknown", terminalForgot: true, updatedAt: now } as const;
  return refunds.some(isNew)
    ? refunds.map((refund) => (isNew(refund) ? { ...refund, ...inDoubt } : refund))
    : undefined;
}

/** Puts a refund in doubt if the terminal has fetched its message and not answered. It may have been made, so a status query is sent. */
export function doubtRefund(payment: Payment, refund: Refund, context: DecisionContext): Change {
  const { now: updatedAt, timings } = context;
  const { refundId: about, idAsReceived: refundId } = refund;
  const doubted: Refund = { ...refund, statusReason: "outcomeUnknown", updatedAt };
  return record(payment, {
    ...context,
    event: "outcomeOverdue",
    by: "platform",
    set: { refunds: replacedRefund(payment, doubted) },
    effects: [
      { kind: "message", message: { type: "statusQuery", refundId } },
      { kind: "deadline", name: "doubt", about, at: after(updatedAt, timings.doubtSeconds) },
    ],
  });
}
