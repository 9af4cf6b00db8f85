import type { Command, Commands } from "../../ports/commands.ts";
import type { Subject } from "../../ports/subjects.ts";
import type { Inboxes } from "../../ports/terminals.ts";

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

/** The terminal has the answer to its own action request. */
export async function acknowledgeAnswer(
  deps: AcknowledgeMessageDeps,
  subject: Subject,
  messageId: string,
): Promise<void> {
  const command = await deps.commands.find(subject, messageId);
  if (command) await acknowledgeMessage(deps, command);
}
