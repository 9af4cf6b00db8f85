import type { Effect } from "../domain/effects.ts";
import type { Inboxes } from "../ports/terminals.ts";
import type { Work } from "./protocol/deliver.ts";

/** Files a committed command's message in the terminal's inbox, once; a tombstone in its place means that it was withdrawn. */
export async function postMessage(
  { inboxes }: { readonly inboxes: Inboxes },
  { command, effect }: Work<Extract<Effect, { kind: "message" }>>,
): Promise<"done"> {
  const { terminalId, ...mailing } = effect.mailing;
  if (!(await inboxes.find(terminalId, mailing.place))) {
    await inboxes.post(terminalId, { ...mailing, messageId: command.commandId });
  }
  return "done";
}
