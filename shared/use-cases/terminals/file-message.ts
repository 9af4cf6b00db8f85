import type { Envelope } from "../../domain/effects.ts";
import type { CallContext } from "../../ports/clock.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Needs } from "../needs.ts";

/** Files a message whose command is in another partition, once, and wakes the terminal's poll. A filed message is not filed again. */
export async function fileMessage(
  { inboxes, bells }: Needs<"bells" | "inboxes">,
  { traceparent }: CallContext,
  { messageId, envelope: { terminalId, ...message } }: { readonly messageId: string; readonly envelope: Envelope },
): Promise<"done"> {
  try {
    await inboxes.file(terminalId, { ...message, messageId, traceparent });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  bells.ring(terminalId); // even if it was filed before: that run may have crashed before it rang
  return "done";
}
