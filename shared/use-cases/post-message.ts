import type { Mailing } from "../domain/effects.ts";
import type { Inboxes } from "../ports/terminals.ts";

/** Files a committed command's message in the terminal's inbox, once; a tombstone in its place means that it was withdrawn. */
export async function postMessage(
  { inboxes }: { readonly inboxes: Inboxes },
  messageId: string,
  { terminalId, ...mailing }: Mailing,
): Promise<"done"> {
  if (!(await inboxes.find(terminalId, mailing.place))) await inboxes.post(terminalId, { ...mailing, messageId });
  return "done";
}
