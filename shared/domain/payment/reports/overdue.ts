import type { Instant } from "../../time.ts";
import { advance, type Change } from "../life/advance.ts";
import { withoutDeadline } from "../life/deadlines.ts";
import type { DecisionContext } from "../life/decision.ts";
import { doubtsOf, timeoutOf, withdrawnSequence } from "../life/timeouts.ts";
import { isUnfetched, lookAfter, overAt, type SentMessage, waitOf } from "../life/waits.ts";
import { isGivenUp, isTried } from "../life/reversal.ts";
import type { Deadline } from "../record/deadline.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { doubtRefund } from "../requests/doubted-refund.ts";
import { concludeRefund } from "../requests/refund.ts";
import { beginReversal, reversalOverdue } from "./charges.ts";

/**
 * The message of a deadline. `withdraw`: it leaves the inbox unless the terminal has fetched it. `endTry`: a fetched message leaves, since
 * it would be handed out together with the next try. An unfetched one stays due. `giveUp`: it leaves in any case.
 */
export interface OverdueMessage {
  readonly sequence: number;
  readonly act: "withdraw" | "endTry" | "giveUp";
}

const refundOf = ({ refunds }: Payment, { name, about }: Deadline): Refund | undefined =>
  name === "outcome" && about !== undefined ? refunds.find(({ refundId }) => refundId === about) : undefined;

const triedOf = ({ charges }: Payment, { about }: Deadline) =>
  charges.filter(isTried).find(({ chargeId }) => chargeId === about);

/** A payment's messages at its terminal, as far as they are known. */
export interface AtTerminal {
  /** The unanswered message of a sequence. */
  readonly messageOf: (sequence: number) => SentMessage | undefined;
  /** The terminal is permanently out of service, so it fetches nothing any more. */
  readonly isRetired: boolean;
}

/**
 * The first deadline up to this moment whose passing changes the payment. Undefined if there is none. A deadline whose event waits for the
 * answer to a restore's query stays, and is acted on after the answer.
 */
export const overdueBy = (
  payment: Payment,
  at: Instant,
  context: DecisionContext,
  terminal: AtTerminal,
): Deadline | undefined =>
  payment.deadlines.find(
    (deadline) =>
      dueAt(payment, deadline, terminal, context) <= at && overdue(payment, deadline, false, context) !== undefined,
  );

/** When a deadline is due: that of a capture or a refund depends on whether the terminal has fetched its message, or still can. */
export function dueAt(
  payment: Payment,
  deadline: Deadline,
  terminal: AtTerminal,
  { timings }: Pick<DecisionContext, "timings">,
): Instant {
  const wait = waitOf(payment, deadline);
  if (!wait) return deadline.at;
  const waits = isWaiting(payment, deadline, terminal);
  if (waits && terminal.isRetired) return wait.since;
  return overAt(
    wait,
    { isUnfetched: waits, fetchedAt: waitingMessage(payment, deadline, terminal)?.fetchedAt },
    timings,
  );
}

/**
 * The next look after one at a moment. A message that waits is looked at from time to time, because its terminal may have fetched it
 * meanwhile. Undefined if the payment awaits nothing later.
 *
 * @param isChanged whether that look changed the payment, so that a passed deadline may be acted on now
 */
export function lookAfterwards(
  payment: Payment,
  { at, isChanged }: { readonly at: Instant; readonly isChanged: boolean },
  terminal: AtTerminal,
  { timings }: Pick<DecisionContext, "timings">,
): Instant | undefined {
  const looks = payment.deadlines.map((deadline) => {
    const due = dueAt(payment, deadline, terminal, { timings });
    const wait = waitOf(payment, deadline);
    return wait && due > at && isWaiting(payment, deadline, terminal) ? lookAfter(wait, at, timings) : due;
  });
  return looks.filter((look) => isChanged || look > at).toSorted()[0];
}

/** The message of a wait. Undefined if it has no row. */
function waitingMessage(payment: Payment, deadline: Deadline, { messageOf }: AtTerminal): SentMessage | undefined {
  const sequence = (refundOf(payment, deadline) ?? payment.awaiting)?.sequence;
  return sequence === undefined ? undefined : messageOf(sequence);
}

/** Whether the deadline ends a wait, and the terminal has certainly not fetched its message. */
export function isWaiting(payment: Payment, deadline: Deadline, terminal: AtTerminal): boolean {
  const message = waitOf(payment, deadline) && waitingMessage(payment, deadline, terminal);
  return message !== undefined && isUnfetched(payment, message);
}

/** The message of a deadline that the payment awaits. Undefined if the deadline has no message. */
export function overdueMessage(
  payment: Payment,
  deadline: Deadline,
  context: Pick<DecisionContext, "now" | "timings">,
): OverdueMessage | undefined {
  const refund = refundOf(payment, deadline);
  if (refund) return { sequence: refund.sequence, act: "withdraw" };
  if (deadline.name === "reversal") {
    const charge = triedOf(payment, deadline);
    return charge && { sequence: charge.reversal.sequence, act: isGivenUp(charge, context) ? "giveUp" : "endTry" };
  }
  const timeout = timeoutOf(payment, deadline);
  const sequence = timeout && withdrawnSequence(payment, timeout);
  return sequence === undefined ? undefined : { sequence, act: "withdraw" };
}

/**
 * The change by a passed deadline: of the refund or the reversal that it was set for, otherwise of the payment itself. The deadline leaves
 * the payment. Undefined if it changes nothing.
 *
 * @param isUnfetched whether the terminal has not fetched the deadline's message. A withdrawn message never reaches it
 */
export function overdue(
  before: Payment,
  deadline: Deadline,
  isUnfetched: boolean,
  context: DecisionContext,
): Change | undefined {
  const payment = withoutDeadline(before, deadline);
  const refund = refundOf(payment, deadline);
  if (refund) return refundOverdue(payment, refund, isUnfetched, context);
  if (deadline.name === "nextReversal") return beginReversal(payment, context);
  if (deadline.name !== "reversal") return paymentOverdue(payment, deadline, isUnfetched, context);
  const charge = triedOf(payment, deadline);
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
  deadline: Deadline,
  isUnfetched: boolean,
  context: DecisionContext,
): Change | undefined {
  const timeout = timeoutOf(payment, deadline);
  if (!timeout) return undefined;
  const alerts = deadline.name === "doubt" ? doubtsOf(payment, deadline.about) : [];
  const event = (isUnfetched ? timeout.withdrawn : undefined) ?? timeout.overdue;
  return advance(payment, { ...context, by: "platform", event, alerts });
}
