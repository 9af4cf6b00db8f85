import type { Change } from "../../domain/payment/life/advance.ts";
import { isUnfetched } from "../../domain/payment/life/waits.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { Taking } from "../../stores/payments.ts";
import type { Needs } from "../needs.ts";

/** The messages of a session that the terminal has not answered, in the order of their changes. */
export const openMessages = async (
  { inboxes }: Needs<"inboxes">,
  { terminalId, sessionId }: Pick<PaymentKey, "terminalId" | "sessionId">,
): Promise<readonly InboxRow[]> =>
  (await inboxes.unanswered(terminalId)).filter(({ slot }) => slot.sessionId === sessionId);

/** The open message of this sequence. Undefined if the terminal has answered it, or will never get it. */
export const messageOf = (open: readonly InboxRow[], sequence: number): InboxRow | undefined =>
  open.find(({ slot }) => slot.sequence === sequence);

/**
 * The message of this sequence, if the terminal has certainly not fetched it. If a change takes it, the terminal never gets it: a fetch and the
 * change both replace the message as it was read, so only one of them succeeds.
 */
export function unfetched(payment: Payment, open: readonly InboxRow[], sequence: number): InboxRow | undefined {
  const message = messageOf(open, sequence);
  return message && isUnfetched(payment, message) ? message : undefined;
}

/** The change with the messages that it takes out of the inbox. */
export const taking = (change: Change | "unchanged", removed: readonly InboxRow[]): (Change & Taking) | "unchanged" =>
  change === "unchanged" ? change : { ...change, removed };
