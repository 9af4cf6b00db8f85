import type { Effect } from "../../effects.ts";
import { after } from "../../time.ts";
import { advance, record, type Change } from "../life/advance.ts";
import type { DecisionContext } from "../life/decision.ts";
import { isFinal, type Payment, type Refund } from "../record/payment.ts";
import { replacedRefund } from "../requests/refund.ts";

/** The sequences that a restored payment leaves out: more than the changes that it may have made between the export and the restore. */
const LOST_SEQUENCES = 1_000;

/**
 * The sequence from which a restored payment counts on, ended or not, by its sequence in the export. So no event, no message, no booking and
 * no response after the restore has the sequence of a lost one.
 */
export const sequenceAfterLost = (exported: number): number => exported + LOST_SEQUENCES;

/** Whether a sequence is the expected one, or follows from it by restores alone. */
export const isSameButForLost = (sequence: number, expected: number): boolean =>
  sequence >= expected && (sequence - expected) % LOST_SEQUENCES === 0;

/**
 * The next change of a payment that was restored from an export: its status query comes first, then one for each pending refund. Undefined
 * once each is sent. The books are from the export, and the terminal went on: it may have done what they hold as to be done. A payment
 * whose reversals alone are open is not queried: its void is handed out again.
 *
 * @param imported the payment's sequence as it was imported. A query up to it is of an earlier restore, and is sent anew: its message is lost
 */
export function nextRestored(payment: Payment, imported: number, context: DecisionContext): Change | undefined {
  const isSent = ({ restored }: Pick<Payment, "restored">): boolean => restored !== undefined && restored > imported;
  const isBegun = payment.sequence > imported;
  const sequence = payment.sequence + 1;
  const step = { ...context, event: "restored", by: "operator" } as const;
  if (!isFinal(payment.status) && !isSent(payment)) return advance(payment, { ...step, set: { restored: sequence } });
  const refund = payment.refunds.find((one) => one.status === "pending" && !isSent(one));
  if (!refund) return isBegun ? undefined : record(payment, step);
  const inDoubt = { statusReason: "outcomeUnknown", restored: sequence, updatedAt: context.now } as const;
  const change = record(payment, { ...step, set: { refunds: replacedRefund(payment, { ...refund, ...inDoubt }) } });
  return { ...change, effects: queryOf(refund, context) };
}

const queryOf = (
  { idAsReceived: refundId }: Refund,
  { now, timings }: DecisionContext,
): readonly Effect<"payment">[] => [
  { kind: "message", message: { type: "statusQuery", refundId, first: true } },
  { kind: "deadline", deadline: "doubt", due: after(now, timings.doubtSeconds) },
];

/**
 * The messages that the books still hold as to be done by the terminal, by their sequences: what the payment awaits, its pending refunds and
 * the tries of its reversals. A restored payment needs no other of its earlier messages: what it was before its approval is queried. A
 * refund that the terminal has forgotten may have been made, and is not handed out again.
 */
export const dueMessages = ({ status, awaiting, refunds, charges }: Payment): readonly number[] => [
  ...(awaiting && (status === "captureRequested" || status === "voidRequested") ? [awaiting.sequence] : []),
  ...refunds.flatMap((refund) => (refund.status === "pending" && !refund.terminalForgot ? [refund.sequence] : [])),
  ...charges.flatMap(({ status: charge, reversal }) => (charge === "reversing" && reversal ? [reversal.sequence] : [])),
];
