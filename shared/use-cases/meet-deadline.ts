import { advance, type Change } from "../domain/advance.ts";
import type { Effect } from "../domain/effects.ts";
import { placeOf } from "../domain/payment.ts";
import type { Timings } from "../domain/timings.ts";
import type { PaymentEvent } from "../domain/transitions.ts";
import type { Clock, NewId } from "../ports/clock.ts";
import type { StoredPayment } from "../ports/payments.ts";
import type { Inboxes } from "../ports/terminals.ts";
import { withdraw } from "./withdraw.ts";
import { commitChange, type Committing } from "./commit-change.ts";
import type { Work } from "./protocol/deliver.ts";

export interface MeetDeadline extends Committing {
  readonly inboxes: Inboxes;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly timings: Timings;
}

type DeadlineWork = Work<Extract<Effect, { kind: "deadline" }>>;

/**
 * What becomes of a payment when nobody spoke in time. A deadline is due when it is delivered: no clocks are compared. It does
 * nothing in any state but the one it was set for.
 */
export async function meetDeadline(deps: MeetDeadline, work: DeadlineWork): Promise<"done"> {
  const stored = await deps.payments.find(work.announcement.subject);
  if (!stored || stored === "fence") return "done";
  const event = await overdue(deps, work, stored);
  if (!event) return "done";
  const commandId = deps.newId();
  const step = { event, by: "platform", now: deps.clock.now(), commandId, timings: deps.timings } as const;
  const change: Change | undefined = advance(stored.payment, step);
  if (change) await commitChange(deps, { change, etag: stored.etag, commandId });
  return "done";
}

/** A message that was not fetched is taken back for certain; what was fetched may have reached a card, and is looked into. */
async function overdue(
  deps: MeetDeadline,
  { command, effect }: DeadlineWork,
  { payment }: StoredPayment,
): Promise<PaymentEvent | undefined> {
  const { status, terminalId, awaiting } = payment;
  switch (effect.deadline) {
    case "acceptance":
      if (status !== "pending") return undefined;
      return (await withdraw(deps.inboxes, terminalId, placeOf(payment))) ? "withdrawnByDeadline" : "acceptanceOverdue";
    case "expiry":
      return status === "inProgress" ? "expiryOverdue" : undefined;
    case "answer":
      return status === "cancelRequested" && awaiting?.commandId === command.commandId ? "answerOverdue" : undefined;
    case "capture":
      return status === "authorized" ? "captureOverdue" : undefined;
    case "outcome":
      if (status !== "captureRequested" && status !== "voidRequested") return undefined;
      if (awaiting?.commandId !== command.commandId) return undefined;
      return (await withdraw(deps.inboxes, terminalId, placeOf(payment, awaiting.sequence)))
        ? "messageWithdrawn"
        : "outcomeOverdue";
  }
}
