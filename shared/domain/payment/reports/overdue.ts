import type { Deadline } from "../../effects.ts";
import { advance, type Change } from "../life/advance.ts";
import type { DecisionContext } from "../life/decision.ts";
import { doubtsOf, timeoutOf, withdrawnSequence } from "../life/timeouts.ts";
import { isGivenUp, isTried } from "../life/reversal.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { doubtRefund } from "../requests/doubted-refund.ts";
import { concludeRefund } from "../requests/refund.ts";
import { beginReversal, reversalOverdue } from "./charges.ts";

/** A due deadline, and the command that set it. */
export interface DueDeadline {
  readonly deadline: Deadline;
  readonly commandId: string;
}

/**
 * The message of a deadline. `withdraw`: it is withdrawn, unless the terminal has fetched it. `endTry`: a fetched message is removed, since
 * it would be handed out together with the next try. An unfetched message stays due. `giveUp`: no message of the try stays due.
 */
export interface OverdueMessage {
  readonly sequence: number;
  readonly act: "withdraw" | "endTry" | "giveUp";
}

const refundOf = ({ refunds }: Payment, { commandId }: DueDeadline): Refund | undefined =>
  refunds.find((refund) => refund.commandId === commandId);

const triedBy = ({ charges }: Payment, { commandId }: DueDeadline) =>
  charges.filter(isTried).find(({ reversal }) => reversal.commandId === commandId);

/** The message of the deadline. Undefined if the payment does not await the deadline, or if the deadline has no message. */
export function overdueMessage(
  payment: Payment,
  due: DueDeadline,
  context: Pick<DecisionContext, "now" | "timings">,
): OverdueMessage | undefined {
  const refund = refundOf(payment, due);
  if (refund) return refund.status === "pending" ? { sequence: refund.sequence, act: "withdraw" } : undefined;
  if (due.deadline === "reversal") {
    const charge = triedBy(payment, due);
    return charge && { sequence: charge.reversal.sequence, act: isGivenUp(charge, context) ? "giveUp" : "endTry" };
  }
  const timeout = timeoutOf(payment, due.deadline, due.commandId);
  const sequence = timeout && withdrawnSequence(payment, timeout);
  return sequence === undefined ? undefined : { sequence, act: "withdraw" };
}

/**
 * The change by a passed deadline: of the refund or the reversal that it was set for, otherwise of the payment itself. Undefined if the
 * payment does not await the deadline.
 *
 * @param isUnfetched whether the terminal has not fetched the deadline's message. A withdrawn message never reaches it
 */
export function overdue(
  payment: Payment,
  due: DueDeadline,
  isUnfetched: boolean,
  context: DecisionContext,
): Change | undefined {
  const refund = refundOf(payment, due);
  if (refund) return refundOverdue(payment, refund, isUnfetched, context);
  if (due.deadline === "nextReversal") return beginReversal(payment, context);
  if (due.deadline !== "reversal") return paymentOverdue(payment, due, isUnfetched, context);
  const charge = triedBy(payment, due);
  return charge && reversalOverdue(payment, charge, isUnfetched, context);
}

/**
 * A refund whose message was never fetched was not made. If the message was fetched, the refund may have been made, so a status query is
 * sent.
 */
function refundOverdue(
  payment: Payment,
  refund: Refund,
  isUnfetched: boolean,
  context: DecisionContext,
): Change | undefined {
  if (refund.status !== "pending") return undefined;
  if (!isUnfetched) return doubtRefund(payment, refund, context);
  const outcome = { status: "failed", statusReason: "notDelivered" } as const;
  return concludeRefund(payment, refund, outcome, { ...context, by: "platform" });
}

function paymentOverdue(
  payment: Payment,
  { deadline, commandId }: DueDeadline,
  isUnfetched: boolean,
  context: DecisionContext,
): Change | undefined {
  const timeout = timeoutOf(payment, deadline, commandId);
  if (!timeout) return undefined;
  const alerts = deadline === "doubt" ? doubtsOf(payment, commandId) : [];
  const event = (isUnfetched ? timeout.withdrawn : undefined) ?? timeout.overdue;
  return advance(payment, { ...context, by: "platform", event, alerts });
}
