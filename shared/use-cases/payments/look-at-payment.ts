import { overdue, overdueBy, overdueMessage } from "../../domain/payment/reports/overdue.ts";
import { slotOf, type Payment } from "../../domain/payment/record/payment.ts";
import { ok } from "../../domain/result.ts";
import type { Instant } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import { paymentSubjectOf, type PaymentKey } from "../../ports/subjects.ts";
import { enqueueMessage, type EnqueueMessageDeps } from "../terminals/enqueue-message.ts";
import { giveUp, removeFetched, withdrawMessage } from "../terminals/withdraw-message.ts";
import type { Outcome } from "../outbox/outcome.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import type { Needs } from "../needs.ts";

export type LookAtPaymentDeps = AmendPaymentDeps & EnqueueMessageDeps & Needs<"inboxes">;

const acts = { withdraw: withdrawMessage, endTry: removeFetched, giveUp } as const;

/**
 * Acts on the first deadline up to a moment, and asks for a look at the next one. A look is due when it is delivered, so no clocks are
 * compared. The fence settles whether the terminal has the deadline's message. It withdraws the message, or ends the try that the message
 * began.
 *
 * @param at the moment of the look
 */
export async function lookAtPayment(
  deps: LookAtPaymentDeps,
  call: CallContext,
  key: PaymentKey,
  at: Instant,
): Promise<Outcome> {
  const looked = await amendPayment(deps, call, {
    key,
    isLook: true,
    plan(payment, context) {
      const deadline = overdueBy(payment, at, context);
      return ok(deadline && overdueMessage(payment, deadline, context));
    },
    fence: async (payment, { act, sequence }) => {
      if (act === "endTry") await enqueueMissing(deps, call, payment, sequence);
      return acts[act](deps.inboxes, payment.terminalId, slotOf(payment, sequence));
    },
    decide(payment, context, { fenced: isUnfetched = false }) {
      const deadline = overdueBy(payment, at, context);
      return ok((deadline && overdue(payment, deadline, isUnfetched, context)) ?? "unchanged");
    },
  });
  if (!looked.ok) return "implied";
  const { payment, replayed: isUnchanged } = looked.value;
  const next = payment.deadlines.find((deadline) => !isUnchanged || deadline.at > at);
  return next ? { lookAt: next.at } : "implied";
}

/** Enqueues the committed message of this sequence if its slot is missing. Otherwise it would stay due, and the terminal would never get it. */
async function enqueueMissing(
  deps: LookAtPaymentDeps,
  call: CallContext,
  payment: Payment,
  sequence: number,
): Promise<void> {
  if (await deps.inboxes.find(payment.terminalId, slotOf(payment, sequence))) return;
  const commands = await deps.commands.ofSubject(paymentSubjectOf(payment));
  for (const { commandId: messageId, effects } of commands)
    for (const effect of effects)
      if (effect.kind === "message" && effect.envelope.slot.sequence === sequence)
        await enqueueMessage(deps, call, { messageId, envelope: effect.envelope });
}
