import type { Command, Commands } from "../../ports/commands.ts";
import type { Inboxes } from "../../ports/terminals.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";

export interface AcknowledgeMessageDeps {
  readonly commands: Commands;
  readonly inboxes: Inboxes;
}

/** The terminal has answered a command's message, which is not handed out again. Its guard row stays, so that nothing files it anew. Throws `Conflict`. */
export async function acknowledgeMessage(
  { inboxes }: Pick<AcknowledgeMessageDeps, "inboxes">,
  { effects }: Command,
): Promise<void> {
  const filed = effects.find((effect) => effect.kind === "admission" || effect.kind === "message");
  if (!filed) return;
  const { terminalId, place } = filed.mailing;
  const filing = await inboxes.find(terminalId, place);
  if (filing?.row) await inboxes.remove(terminalId, filing.row);
}

/**
 * The terminal has the answer to its own action request. An action request has one answer at most, which stands in the inbox of the
 * terminal that raised it: a report of any other terminal, or of an answer that is not there, settles nothing.
 */
export const acknowledgeAnswer = (
  deps: Pick<AcknowledgeMessageDeps, "inboxes">,
  terminalId: string,
  actionRequestId: string,
): Promise<void> =>
  retryOnConflict(async () => {
    const open = await deps.inboxes.open(terminalId);
    const answers = open.filter(
      ({ message }) => message.type === "actionAnswer" && isSame(message.actionRequestId, actionRequestId),
    );
    for (const row of answers) await deps.inboxes.remove(terminalId, row);
  });

const isSame = (spelled: string, actionRequestId: string): boolean => spelled.toLowerCase() === actionRequestId;
