import type { Mailing } from "../../domain/effects.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Inboxes, InboxMessage } from "../../ports/terminals.ts";

/** Files a committed command's message in the terminal's inbox, once: its place may be filed already, or withdrawn. */
export async function enqueueMessage(
  { inboxes }: { readonly inboxes: Inboxes },
  { terminalId, ...mailing }: Mailing,
  named: Pick<InboxMessage, "messageId" | "traceparent">,
): Promise<"done"> {
  try {
    await inboxes.post(terminalId, { ...mailing, ...named });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  return "done";
}
