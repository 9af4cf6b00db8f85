import { nextRestored } from "../../../domain/payment/operator/restore.ts";
import { ok } from "../../../domain/result.ts";
import type { CallContext } from "../../../ports/clock.ts";
import { Conflict } from "../../../ports/failures.ts";
import type { PaymentKey } from "../../../ports/subjects.ts";
import type { Inboxes } from "../../../stores/inboxes.ts";
import { amendPayment, type AmendPaymentDeps } from "../../payments/amend-payment.ts";
import type { Needs } from "../../needs.ts";

export type QueryFirstDeps = AmendPaymentDeps & Needs<"inboxes">;

/**
 * Commits the restore of a payment that was imported from an export, and files its status queries in the terminal's inbox. So the terminal
 * gets the status query before any other message of the payment. Call it while the platform is stopped, so that no message is handed out
 * before. The call may be repeated. Throws `Unavailable`.
 *
 * @param imported the payment's sequence as it was imported
 */
export async function queryFirst(
  deps: QueryFirstDeps,
  call: CallContext,
  key: PaymentKey,
  imported: number,
): Promise<void> {
  for (let isChanged = true; isChanged;) {
    const amended = await amendPayment<never>(deps, call, {
      key,
      decide: (payment, context) => ok(nextRestored(payment, imported, context) ?? "unchanged"),
    });
    isChanged = amended.ok && !amended.value.replayed;
  }
  for (const { commandId, sequence, effects } of await deps.commands.ofSubject({ kind: "payment", ...key })) {
    if (sequence <= imported) continue;
    for (const effect of effects) {
      if (effect.kind !== "message" || effect.envelope.message.type !== "statusQuery") continue;
      const { terminalId, ...message } = effect.envelope;
      if (effect.envelope.message.first) await file(deps.inboxes, terminalId, { ...message, messageId: commandId });
    }
  }
}

async function file(inboxes: Inboxes, terminalId: string, message: Parameters<Inboxes["post"]>[1]): Promise<void> {
  try {
    await inboxes.post(terminalId, message);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error; // filed by an earlier run
  }
}
