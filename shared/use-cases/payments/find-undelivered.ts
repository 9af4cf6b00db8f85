import { paymentSubjectOf } from "../../ports/subjects.ts";
import type { Payment, Refund } from "../../domain/payment/record/payment.ts";
import { leftRefund, sequenceOfLeft } from "../../domain/payment/requests/undelivered-refunds.ts";
import type { Needs } from "../needs.ts";

/**
 * The refund of one of these names that has left the payment's record, as its command has it. Undefined if none has left, which is known
 * without a read. Throws if its command is missing: the name must not mean another refund.
 */
export async function findUndelivered(
  { commands }: Needs<"commands">,
  payment: Payment | undefined,
  names: readonly string[],
): Promise<Refund | undefined> {
  if (!payment) return undefined;
  const sequence = sequenceOfLeft(payment, names);
  if (sequence === undefined) return undefined;
  const sent = await commands.ofSubject(paymentSubjectOf(payment));
  for (const { commandId, at, ...command } of sent) {
    if (command.sequence !== sequence || at === undefined) continue;
    for (const effect of command.effects)
      if (effect.kind === "message" && effect.envelope.message.type === "refund")
        return leftRefund(payment, { commandId, sequence, at, message: effect.envelope.message });
  }
  throw new Error(`the message ${sequence} of payment ${payment.sessionId} is missing`);
}
