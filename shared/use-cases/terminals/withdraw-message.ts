import type { InboxPlace } from "../../domain/effects.ts";
import type { Inboxes } from "../../ports/terminals.ts";

/**
 * Takes back a message that the terminal has not fetched, or its place before it is filed: exactly one of delivery, fetch and
 * withdrawal wins. True when it is certain that the terminal never gets it. Throws `Conflict`.
 */
export async function withdrawMessage(inboxes: Inboxes, terminalId: string, place: InboxPlace): Promise<boolean> {
  const filing = await inboxes.find(terminalId, place);
  if (filing?.withdrawn) return true;
  if (filing && filing.row?.state !== "waiting") return false;
  await inboxes.withdraw(terminalId, place, filing?.row);
  return true;
}

/** Takes a message out of the inbox whether it was fetched or not: what it wants was decided otherwise. Throws `Conflict`. */
export async function takeOutMessage(inboxes: Inboxes, terminalId: string, place: InboxPlace): Promise<void> {
  if (await withdrawMessage(inboxes, terminalId, place)) return;
  const filing = await inboxes.find(terminalId, place);
  if (filing?.row) await inboxes.remove(terminalId, filing.row);
}
