import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Needs } from "../needs.ts";

/**
 * Removes the message with the response to the terminal's own action request, which the terminal has received. An action request has at
 * most one such message, in the inbox of the terminal that raised it. A report of any other terminal, or about a message that does not
 * exist, removes nothing.
 */
export const acknowledgeActionResponse = (
  { inboxes }: Needs<"inboxes">,
  terminalId: string,
  actionRequestId: string,
): Promise<void> =>
  retryOnConflict(async () => {
    const open = await inboxes.unanswered(terminalId);
    const responses = open.filter(
      ({ message }) => message.type === "actionAnswer" && isSame(message.actionRequestId, actionRequestId),
    );
    await inboxes.remove(terminalId, responses);
  });

const isSame = (received: string, actionRequestId: string): boolean => received.toLowerCase() === actionRequestId;
