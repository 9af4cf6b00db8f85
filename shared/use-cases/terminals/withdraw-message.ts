import type { InboxSlot } from "../../domain/effects.ts";
import { isTakenOut } from "../../domain/terminal-inbox.ts";
import type { Inboxes } from "../../ports/terminals.ts";

/**
 * Takes back a message that the terminal has not fetched, or its place before it is filed: exactly one of delivery, fetch and
 * withdrawal wins. True when it is certain that the terminal never gets it. Throws `Conflict`.
 */
export async function withdrawMessage(inboxes: Inboxes, terminalId: string, slot: InboxSlot): Promise<boolean> {
  const slotState = await inboxes.find(terminalId, slot);
  if (slotState?.withdrawn) return true;
  if (slotState && slotState.row?.state !== "waiting") return false;
  await inboxes.withdraw(terminalId, slot, slotState?.row);
  return true;
}

/**
 * Takes a message out of the inbox whether it was fetched or not, or its place before it is filed: an operator decided what it asks
 * for. What the terminal has answered is left as it is. Nothing can be concluded from it about the terminal. Throws `Conflict`.
 */
export async function takeOutMessage(inboxes: Inboxes, terminalId: string, slot: InboxSlot): Promise<void> {
  const slotState = await inboxes.find(terminalId, slot);
  const isOpen = slotState?.row !== undefined && !isTakenOut(slotState.row);
  if (slotState === undefined || isOpen) await inboxes.resolve(terminalId, slot, slotState?.row);
}
