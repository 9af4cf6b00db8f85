import { nextRestored } from "../../../domain/payment/operator/restore.ts";
import { ok } from "../../../domain/result.ts";
import type { CallContext } from "../../../ports/clock.ts";
import type { PaymentKey } from "../../../ports/subjects.ts";
import { openMessages } from "../../terminals/open-messages.ts";
import { amendPayment, type AmendPaymentDeps } from "../../payments/amend-payment.ts";
import type { Needs } from "../../needs.ts";

export type QueryFirstDeps = AmendPaymentDeps & Needs<"inboxes">;

/**
 * Commits the restore of a payment that was imported from an export, and releases its status queries in the terminal's inbox. So the
 * terminal gets the status query before any other message of the payment. Call it while the platform is stopped, so that no message is
 * handed out before. The call may be repeated. Throws `Unavailable`.
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
  for (const { slot, message, isHeld } of await openMessages(deps, key))
    if (isHeld && message.type === "statusQuery" && message.first) await deps.inboxes.release(key.terminalId, slot);
}
