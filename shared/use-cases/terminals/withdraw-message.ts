import type { InboxPlace } from "../../domain/effects.ts";
import { isTakenOut } from "../../domain/terminal-inbox.ts";
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

/**
 * Takes a message out of the inbox whether it was fetched or not, or its place before it is filed: an operator decided what it asks
 * for. What the terminal has answered is left as it is. Nothing can be concluded from it about the terminal. Throws `Conflict`.
 */
export async function takeOutMessage(inboxes: Inboxes, terminalId: string, place: InboxPlace): Promise<void> {
  const filing = await inboxes.find(terminalId, place);
  const isOpen = filing?.row !== undefined && !isTakenOut(filing.row);
  if (filing === undefined || isOpen) await inboxes.resolve(terminalId, place, filing?.row);
}
