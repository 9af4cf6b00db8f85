import type { InboxRow } from "../../stores/inboxes.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Needs } from "../needs.ts";

export type AcknowledgeMessageDeps = Needs<"inboxes">;

/**
 * Removes messages that the terminal has answered, so that they are not handed out again. Their tombstones stay, so that no worker enqueues
 * them again. Messages are removed in their order. Otherwise a payment could be handed out after the message that called it off is gone.
 * Throws `Conflict`.
 */
export async function acknowledgeMessages(
  { inboxes }: AcknowledgeMessageDeps,
  terminalId: string,
  rows: readonly InboxRow[],
): Promise<void> {
  for (const row of rows) await inboxes.remove(terminalId, row);
}

/**
 * Removes the message with the response to the terminal's own action request, which the terminal has received. An action request has at
 * most one such message, in the inbox of the terminal that raised it. A report of any other terminal, or about a message that does not
 * exist, removes nothing.
 */
export const acknowledgeActionResponse = (
  deps: AcknowledgeMessageDeps,
  terminalId: string,
  actionRequestId: string,
): Promise<void> =>
  retryOnConflict(async () => {
    const open = await deps.inboxes.unanswered(terminalId);
    const responses = open.filter(
      ({ message }) => message.type === "actionAnswer" && isSame(message.actionRequestId, actionRequestId),
    );
    await acknowledgeMessages(deps, terminalId, responses);
  });

const isSame = (received: string, actionRequestId: string): boolean => received.toLowerCase() === actionRequestId;
