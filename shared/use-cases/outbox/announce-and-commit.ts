import { effectId, type Effect } from "../../domain/effects.ts";
import type { Announcements, QueueName } from "../../ports/announcements.ts";
import type { Commands, NewCommand } from "../../ports/commands.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import type { Subject } from "../../ports/subjects.ts";

export interface AnnounceDeps {
  readonly commands: Commands;
  readonly announcements: Announcements;
}

/** Which queue carries the work of an effect. */
export const queueOf: Record<Effect["kind"], QueueName> = {
  admission: "terminal-messages",
  message: "terminal-messages",
  release: "terminal-messages",
  deadline: "deadlines",
  webhook: "webhook-deliveries",
  reservation: "access-tokens",
  settlement: "access-tokens",
  issue: "access-tokens",
  mail: "access-tokens",
};

/**
 * The two steps by which anything happens: every effect of the command is announced, then all is committed in one group of the
 * subject's partition, the command's row among it. Returns when it is committed for certain. Throws `Conflict` when the record
 * had changed since it was read, or a worker gave the command up; `Unavailable` when it is not known whether it was committed,
 * or known that it was not.
 */
export async function announceAndCommit(
  deps: AnnounceDeps,
  subject: Subject,
  command: NewCommand | undefined,
  commit: () => Promise<void>,
  traceparent?: string,
): Promise<void> {
  try {
    if (command)
      await Promise.all(command.effects.map((effect) => announce(deps, subject, command, effect, traceparent)));
    await commit();
  } catch (error) {
    const doubtful = error instanceof Conflict || error instanceof Unavailable;
    if (!command || !doubtful || !(await isCommitted(deps, subject, command.commandId))) throw error;
  }
}

const announce = (
  deps: AnnounceDeps,
  subject: Subject,
  { commandId }: NewCommand,
  effect: Effect,
  traceparent: string | undefined,
): Promise<void> =>
  deps.announcements.send(
    queueOf[effect.kind],
    { v: 1, subject, commandId, effect: effectId(effect), traceparent },
    effect.kind === "deadline" ? effect.due : undefined,
  );

/**
 * Whether a commit that failed took place all the same: its answer may have been lost. Where it did not, the command's row
 * is taken as void, so that a late arrival fails and its workers need not wait for the commit window.
 */
async function isCommitted(deps: AnnounceDeps, subject: Subject, commandId: string): Promise<boolean> {
  try {
    await deps.commands.voidCommand(subject, commandId);
    return false;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return (await deps.commands.find(subject, commandId))?.state === "ready";
  }
}
