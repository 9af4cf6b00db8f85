import type { InboxPlace } from "../domain/effects.ts";
import type { Inboxes } from "../ports/terminals.ts";

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
