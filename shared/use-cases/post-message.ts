import type { Mailing } from "../domain/effects.ts";
import { Conflict } from "../ports/failures.ts";
import type { Inboxes } from "../ports/terminals.ts";

/** Files a committed command's message in the terminal's inbox, once: its place may be filed already, or withdrawn. */
export async function postMessage(
  { inboxes }: { readonly inboxes: Inboxes },
  messageId: string,
  { terminalId, ...mailing }: Mailing,
): Promise<"done"> {
  try {
    await inboxes.post(terminalId, { ...mailing, messageId });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  return "done";
}
