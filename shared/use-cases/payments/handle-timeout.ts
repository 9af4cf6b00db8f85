import { advance, type Step } from "../../domain/payment/advance.ts";
import type { Effect } from "../../domain/effects.ts";
import { placeOf, type Payment, type Refund } from "../../domain/payment/payment.ts";
import { doubtRefund, settleRefund } from "../../domain/payment/refund.ts";
import type { Timings } from "../../domain/timings.ts";
import type { PaymentEvent } from "../../domain/payment/transitions.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Inboxes } from "../../ports/terminals.ts";
import { withdrawMessage } from "../terminals/withdraw-message.ts";
import { commitPayment, type CommitPaymentDeps } from "../outbox/commit-payment.ts";
import type { Work } from "../outbox/deliver.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

export interface HandleTimeoutDeps extends CommitPaymentDeps {
  readonly inboxes: Inboxes;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly timings: Timings;
}

type DeadlineWork = Pick<Work<Extract<Effect, { kind: "deadline" }>>, "command" | "effect">;

/**
 * What becomes of a payment when nobody spoke in time. A deadline is due when it is delivered: no clocks are compared. It does
 * nothing in any state but the one it was set for.
 */
export async function handleTimeout(deps: HandleTimeoutDeps, key: PaymentKey, work: DeadlineWork): Promise<"done"> {
  const stored = await deps.payments.find(key);
  if (!stored) return "done";
  const { payment } = stored;
  const commandId = deps.newId();
  const context = { by: "platform", now: deps.clock.now(), commandId, timings: deps.timings } as const;
  const refund = payment.refunds.find((r) => r.commandId === work.command.commandId);
  const change = refund
    ? await overdueRefund(deps, payment, refund, context)
    : await overdue(deps, work, payment, context);
  if (change) await commitPayment(deps, { change, etag: stored.etag, commandId });
  return "done";
}

type Context = Omit<Step, "event">;

async function overdue(deps: HandleTimeoutDeps, work: DeadlineWork, payment: Payment, context: Context) {
  const event = await eventFor(deps, work, payment);
  return event && advance(payment, { ...context, event });
}

/** A refund that the terminal never fetched was not made; one that it fetched may have been, and the terminal is asked. */
async function overdueRefund(deps: HandleTimeoutDeps, payment: Payment, refund: Refund, context: Context) {
  if (refund.status !== "pending") return undefined;
  const withdrawn = await withdrawMessage(deps.inboxes, payment.terminalId, placeOf(payment, refund.sequence));
  if (!withdrawn) return doubtRefund(payment, refund, context);
  return settleRefund(payment, refund, { status: "failed", statusReason: "notDelivered" }, context);
}

/** A message that was not fetched is taken back for certain; what was fetched may have reached a card, and is looked into. */
async function eventFor(
  deps: HandleTimeoutDeps,
  { command, effect }: DeadlineWork,
  payment: Payment,
): Promise<PaymentEvent | undefined> {
  const { status, terminalId, awaiting } = payment;
  switch (effect.deadline) {
    case "acceptance":
      if (status !== "pending") return undefined;
      return (await withdrawMessage(deps.inboxes, terminalId, placeOf(payment)))
        ? "withdrawnByDeadline"
        : "acceptanceOverdue";
    case "expiry":
      return status === "inProgress" ? "expiryOverdue" : undefined;
    case "answer":
      return status === "cancelRequested" && awaiting?.commandId === command.commandId ? "answerOverdue" : undefined;
    case "capture":
      return status === "authorized" ? "captureOverdue" : undefined;
    case "outcome":
      if (status !== "captureRequested" && status !== "voidRequested") return undefined;
      if (awaiting?.commandId !== command.commandId) return undefined;
      return (await withdrawMessage(deps.inboxes, terminalId, placeOf(payment, awaiting.sequence)))
        ? "messageWithdrawn"
        : "outcomeOverdue";
    case "action":
      throw new Error("a payment has no such deadline");
  }
}
