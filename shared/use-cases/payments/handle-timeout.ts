import { overdue, overdueMessage, type DueDeadline } from "../../domain/payment/reports/overdue.ts";
import { slotOf, type Payment } from "../../domain/payment/record/payment.ts";
import { ok } from "../../domain/result.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { enqueueMessage, type EnqueueMessageDeps } from "../terminals/enqueue-message.ts";
import { giveUp, removeFetched, withdrawMessage } from "../terminals/withdraw-message.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import type { Needs } from "../needs.ts";

export type HandleTimeoutDeps = AmendPaymentDeps & EnqueueMessageDeps & Needs<"inboxes">;

const acts = { withdraw: withdrawMessage, endTry: removeFetched, giveUp } as const;

/**
 * Acts on a deadline. The deadline is due when it is delivered, so no clocks are compared. Does nothing if the payment's state does not
 * await it. The fence settles whether the terminal has the deadline's message. It withdraws the message, or ends the try that the message
 * began.
 */
export async function handleTimeout(
  deps: HandleTimeoutDeps,
  call: CallContext,
  key: PaymentKey,
  due: DueDeadline,
): Promise<"done"> {
  await amendPayment(deps, call, {
    key,
    plan: (payment, context) => ok(overdueMessage(payment, due, context)),
    fence: async (payment, { act, sequence }) => {
      if (act === "endTry") await enqueueMissing(deps, call, payment, sequence);
      return acts[act](deps.inboxes, payment.terminalId, slotOf(payment, sequence));
    },
    decide: (payment, context, { fenced: isUnfetched = false }) =>
      ok(overdue(payment, due, isUnfetched, context) ?? "unchanged"),
  });
  return "done";
}

/** Enqueues the committed message of this sequence if its slot is missing. Otherwise it would stay due, and the terminal would never get it. */
async function enqueueMissing(
  deps: HandleTimeoutDeps,
  call: CallContext,
  payment: Payment,
  sequence: number,
): Promise<void> {
  const { partnerId, sessionId, terminalId } = payment;
  if (await deps.inboxes.find(terminalId, slotOf(payment, sequence))) return;
  const commands = await deps.commands.ofSubject({ kind: "payment", partnerId, sessionId });
  for (const { commandId: messageId, effects } of commands)
    for (const effect of effects)
      if (effect.kind === "message" && effect.envelope.slot.sequence === sequence)
        await enqueueMessage(deps, call, { messageId, envelope: effect.envelope });
}
