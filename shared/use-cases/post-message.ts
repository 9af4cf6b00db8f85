import type { Effect } from "../domain/effects.ts";
import type { Payments } from "../ports/payments.ts";
import type { Inboxes } from "../ports/terminals.ts";
import { placeOf } from "./place.ts";
import type { Work } from "./protocol/deliver.ts";

/** Files a committed command's message in the terminal's inbox, once; a tombstone in its place means that it was withdrawn. */
export async function postMessage(
  deps: { readonly payments: Payments; readonly inboxes: Inboxes },
  { announcement, command, effect }: Work<Extract<Effect, { kind: "message" }>>,
): Promise<"done"> {
  const stored = await deps.payments.find(announcement.subject);
  if (!stored || stored === "fence") return "done";
  const { terminalId, spelled } = stored.payment;
  const place = placeOf(stored.payment, command.sequence);
  if (!(await deps.inboxes.find(terminalId, place))) {
    await deps.inboxes.post(terminalId, {
      place,
      messageId: command.commandId,
      spelledSessionId: spelled.sessionId,
      message: effect.message,
    });
  }
  return "done";
}
