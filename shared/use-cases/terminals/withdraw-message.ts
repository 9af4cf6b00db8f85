import type { InboxSlot } from "../../domain/effects.ts";
import { isTakenOut } from "../../domain/terminal-inbox.ts";
import type { Inboxes } from "../../stores/inboxes.ts";

/**
 * Withdraws a message that the terminal has not fetched, or its slot before the message is enqueued. Exactly one of enqueueing, fetch and
 * withdrawal wins. True if it is certain that the terminal never gets the message. Throws `Conflict`.
 */
export async function withdrawMessage(inboxes: Inboxes, terminalId: string, slot: InboxSlot): Promise<boolean> {
  const slotState = await inboxes.find(terminalId, slot);
  if (slotState?.withdrawn) return true;
  if (slotState && slotState.row?.state !== "waiting") return false;
  await inboxes.withdraw(terminalId, slot, slotState?.row);
  return true;
}

/**
 * Takes a message out of the inbox, fetched or not, because an operator has decided what it requests. If it is not enqueued yet, takes out
 * its slot. An answered message is left as it is. The outcome shows nothing about the terminal. Throws `Conflict`.
 */
export async function takeOutMessage(inboxes: Inboxes, terminalId: string, slot: InboxSlot): Promise<void> {
  const slotState = await inboxes.find(terminalId, slot);
  const isOpen = slotState?.row !== undefined && !isTakenOut(slotState.row);
  if (slotState === undefined || isOpen) await inboxes.resolve(terminalId, slot, slotState?.row);
}

/**
 * Removes a message that the terminal has fetched and not answered, so that it is not handed out together with the next try. True if the
 * terminal has not fetched it. The message then stays due. Throws `Conflict`.
 */
export async function removeFetched(inboxes: Inboxes, terminalId: string, slot: InboxSlot): Promise<boolean> {
  const slotState = await inboxes.find(terminalId, slot);
  const isUnfetched = slotState === undefined || slotState.row?.state === "waiting";
  if (slotState?.row && !isUnfetched) await inboxes.remove(terminalId, slotState.row);
  return isUnfetched;
}

/** Withdraws a message that the terminal has not fetched, and removes one that it has. True if the terminal never gets it. */
export const giveUp = async (inboxes: Inboxes, terminalId: string, slot: InboxSlot): Promise<boolean> =>
  (await withdrawMessage(inboxes, terminalId, slot)) || removeFetched(inboxes, terminalId, slot);
