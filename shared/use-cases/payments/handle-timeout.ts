import type { Deadline } from "../../domain/effects.ts";
import { advance, type Change } from "../../domain/payment/life/advance.ts";
import type { DecisionContext } from "../../domain/payment/life/decision.ts";
import { beginReversal, reversalOverdue } from "../../domain/payment/reports/charges.ts";
import { slotOf, type Charge, type Payment, type Refund } from "../../domain/payment/record/payment.ts";
import { doubtRefund } from "../../domain/payment/requests/doubted-refund.ts";
import { concludeRefund } from "../../domain/payment/requests/refund.ts";
import { doubtsOf, timeoutOf, withdrawnSequence } from "../../domain/payment/life/timeouts.ts";
import { ok } from "../../domain/result.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { Inboxes } from "../../stores/inboxes.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import { withdrawMessage } from "../terminals/withdraw-message.ts";

export interface HandleTimeoutDeps extends AmendPaymentDeps {
  readonly inboxes: Inboxes;
}

/** A due deadline, and the command that set it. */
export interface DueDeadline {
  readonly deadline: Deadline;
  readonly commandId: string;
}

/** Acts on a passed deadline. It is due when it is delivered: no clocks are compared. It does nothing in a state that does not await it. */
export async function handleTimeout(
  deps: HandleTimeoutDeps,
  call: CallContext,
  key: PaymentKey,
  due: DueDeadline,
): Promise<"done"> {
  await amendPayment(deps, call, {
    key,
    async decide(payment, context) {
      return ok((await overdue(deps, payment, due, context)) ?? "unchanged");
    },
  });
  return "done";
}

/** The change of the refund or the reversal that the deadline was set for; otherwise that of the payment itself. */
async function overdue(
  deps: HandleTimeoutDeps,
  payment: Payment,
  due: DueDeadline,
  context: DecisionContext,
): Promise<Change | undefined> {
  const refund = payment.refunds.find((r) => r.commandId === due.commandId);
  if (refund) return refundOverdue(deps, payment, refund, context);
  if (due.deadline === "nextReversal") return beginReversal(payment, context);
  if (due.deadline !== "reversal") return paymentOverdue(deps, payment, due, context);
  const charge = payment.charges.find((c) => c.reversal?.commandId === due.commandId);
  return charge && tryEnded(deps, payment, charge, context);
}

/** The change when a try of a reversal is over. A message that was not fetched stays due. */
async function tryEnded(
  deps: HandleTimeoutDeps,
  payment: Payment,
  charge: Charge,
  context: DecisionContext,
): Promise<Change | undefined> {
  if (!charge.reversal) return undefined;
  const slotState = await deps.inboxes.find(payment.terminalId, slotOf(payment, charge.reversal.sequence));
  const isUnfetched = slotState === undefined || slotState.row?.state === "waiting";
  // A fetched message without an answer would be handed out again beside the next try.
  if (slotState?.row && !isUnfetched) await deps.inboxes.remove(payment.terminalId, slotState.row);
  return reversalOverdue(payment, charge, isUnfetched, context);
}

async function paymentOverdue(
  deps: HandleTimeoutDeps,
  payment: Payment,
  { deadline, commandId }: DueDeadline,
  context: DecisionContext,
): Promise<Change | undefined> {
  const timeout = timeoutOf(payment, deadline, commandId);
  if (!timeout) return undefined;
  const alerts = deadline === "doubt" ? doubtsOf(payment) : [];
  if (deadline === "doubt" && alerts.length === 0) return undefined;
  const sequence = withdrawnSequence(payment, timeout);
  const isWithdrawn = sequence !== undefined && (await withdraw(deps, payment, sequence));
  const event = (isWithdrawn ? timeout.withdrawn : undefined) ?? timeout.overdue;
  return advance(payment, { ...context, by: "platform", event, alerts });
}

/** A refund whose message the terminal never fetched was not made. A fetched one may have been made, and a status query is sent. */
async function refundOverdue(
  deps: HandleTimeoutDeps,
  payment: Payment,
  refund: Refund,
  context: DecisionContext,
): Promise<Change | undefined> {
  if (refund.status !== "pending") return undefined;
  if (!(await withdraw(deps, payment, refund.sequence))) return doubtRefund(payment, refund, context);
  const outcome = { status: "failed", statusReason: "notDelivered" } as const;
  return concludeRefund(payment, refund, outcome, { ...context, by: "platform" });
}

const withdraw = ({ inboxes }: HandleTimeoutDeps, payment: Payment, sequence: number): Promise<boolean> =>
  withdrawMessage(inboxes, payment.terminalId, slotOf(payment, sequence));
