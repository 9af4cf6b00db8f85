import type { Inboxes, InboxRow } from "../../ports/terminals.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";

export interface AcknowledgeMessageDeps {
  readonly inboxes: Inboxes;
}

/**
 * The terminal has answered these messages, which are not handed out again. Their tombstones stay, so that nothing files them anew.
 * In their order: a payment goes before what called it off, or it would be handed out in between. Throws `Conflict`.
 */
export async function acknowledgeMessages(
  { inboxes }: AcknowledgeMessageDeps,
  terminalId: string,
  rows: readonly InboxRow[],
): Promise<void> {
  for (const row of rows) await inboxes.remove(terminalId, row);
}

/**
 * The terminal has the answer to its own action request. An action request has one answer at most, which stands in the inbox of the
 * terminal that raised it: a report of any other terminal, or of an answer that is not there, settles nothing.
 */
export const acknowledgeAnswer = (
  deps: AcknowledgeMessageDeps,
  terminalId: string,
  actionRequestId: string,
): Promise<void> =>
  retryOnConflict(async () => {
    const open = await deps.inboxes.unanswered(terminalId);
    const answers = open.filter(
      ({ message }) => message.type === "actionAnswer" && isSame(message.actionRequestId, actionRequestId),
    );
    await acknowledgeMessages(deps, terminalId, answers);
  });

const isSame = (spelled: string, actionRequestId: string): boolean => spelled.toLowerCase() === actionRequestId;
