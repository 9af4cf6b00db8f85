import type { Payment } from "../domain/payment.ts";
import type { Inboxes, InboxPlace } from "../ports/terminals.ts";

/** Where a message of the payment stands in its terminal's inbox; the request's own message has sequence 1. */
export const placeOf = (payment: Payment, sequence = 1): InboxPlace => ({
  createdAt: payment.createdAt,
  sessionId: payment.sessionId,
  sequence,
});

/**
 * Takes back a message that the terminal has not fetched, by a tombstone in its place: exactly one of delivery, fetch and
 * withdrawal wins. True when it is certain that the terminal never gets it. Throws `Conflict`.
 */
export async function withdraw(inboxes: Inboxes, terminalId: string, place: InboxPlace): Promise<boolean> {
  const row = await inboxes.find(terminalId, place);
  if (row?.state === "tombstone") return true;
  if (row && row.state !== "waiting") return false;
  await inboxes.withdraw(terminalId, place, row);
  return true;
}
