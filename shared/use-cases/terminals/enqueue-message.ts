import type { Envelope } from "../../domain/effects.ts";
import type { CallContext } from "../../ports/clock.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Needs } from "../needs.ts";

export type EnqueueMessageDeps = Needs<"bells" | "inboxes">;

/**
 * Enqueues a committed command's message in the terminal's inbox, once. A slot that is already used, withdrawn or resolved is left as it
 * is.
 */
export async function enqueueMessage(
  { inboxes, bells }: EnqueueMessageDeps,
  { traceparent }: CallContext,
  { messageId, envelope: { terminalId, ...message } }: { readonly messageId: string; readonly envelope: Envelope },
): Promise<"done"> {
  try {
    await inboxes.post(terminalId, { ...message, messageId, traceparent });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  bells.ring(terminalId); // even if it was enqueued before: that run may have crashed before it rang
  return "done";
}
