import { after } from "../../time.ts";
import { advance, record, type Change } from "../life/advance.ts";
import type { Brought } from "../life/deadlines.ts";
import type { DecisionContext } from "../life/decision.ts";
import { isFinal, type Payment, type Refund } from "../record/payment.ts";
import { replacedRefund } from "../requests/refund.ts";

/**
 * The number of sequences that a restored payment skips. It exceeds the number of changes that may have been made between the export and
 * the restore.
 */
const LOST_SEQUENCES = 1_000;

/**
 * The sequence from which a restored payment counts on, given its sequence in the export. This applies to ended payments too. No event,
 * message, booking or response after the restore then has the sequence of a lost one.
 */
export const sequenceAfterLost = (exported: number): number => exported + LOST_SEQUENCES;

/** Whether a sequence is the expected one, or differs from it only by restores. */
export const isSameButForLost = (sequence: number, expected: number): boolean =>
  sequence >= expected && (sequence - expected) % LOST_SEQUENCES === 0;

/**
 * The next change of a payment that was restored from an export: its status query first, then one query for each pending refund. Undefined
 * once all are sent. The terminal went on after the export, so it may have done what the books hold as pending. A payment is not queried if
 * only its reversals are open, since its void is handed out again.
 *
 * @param imported the payment's sequence as it was imported. A query up to it comes from an earlier restore: its message is lost, so it is
 * sent again
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
  const set = { refunds: replacedRefund(payment, { ...refund, ...inDoubt }) };
  return record(payment, { ...step, set, effects: queryOf(refund, context) });
}

const queryOf = (
  { refundId: about, idAsReceived: refundId }: Refund,
  { now, timings }: DecisionContext,
): readonly Brought[] => [
  { kind: "message", message: { type: "statusQuery", refundId, first: true } },
  { kind: "deadline", name: "doubt", about, at: after(now, timings.doubtSeconds) },
];

/**
 * The sequences of the messages that the terminal still has to carry out, according to the books: the tries of reversals. Captures and
 * refunds are not handed out again, because their partner may have withdrawn them in the lost time. The status query covers everything
 * else.
 */
export const dueMessages = ({ charges }: Payment): readonly number[] =>
  charges.flatMap(({ status, reversal }) => (status === "reversing" && reversal ? [reversal.sequence] : []));
