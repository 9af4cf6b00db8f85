import { effectId, effectKinds, type StoredEffect } from "../../domain/effects.ts";
import type { Announcements } from "../../ports/announcements.ts";
import type { Commands, NewCommand } from "../../ports/commands.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import type { Entering, Listings } from "../../ports/listings.ts";
import type { Subject } from "../../ports/subjects.ts";

export interface AnnounceDeps {
  readonly commands: Commands;
  readonly announcements: Announcements;
  readonly listings: Listings;
}

/** A command that is about to be committed. */
export interface Committing {
  readonly subject: Subject;
  /** Of the change. */
  readonly sequence?: number;
  /** The subject has ended with the change. */
  readonly ends?: boolean;
  /** Undefined for a change without effects. */
  readonly command: NewCommand | undefined;
  /** How the subject is to be listed first; undefined where it is listed. */
  readonly entering: Entering | undefined;
  readonly traceparent: string | undefined;
  /** Writes the change and the command's row in one group; `entry` is the ETag of the entry as open that was written for it. */
  readonly commit: (entry: string | undefined) => Promise<void>;
}

/**
 * The two steps by which anything happens: every effect of the command is announced, and the subject listed, then all is committed in
 * one group of the subject's partition, the command's row among it. Returns when it is committed for certain. Throws `Conflict` when the record
 * had changed since it was read, or a worker gave the command up; `Unavailable` when it is not known whether it was committed,
 * or known that it was not.
 */
export async function announceAndCommit(deps: AnnounceDeps, committing: Committing): Promise<void> {
  const { subject, command, entering, commit } = committing;
  try {
    const [entry] = await Promise.all([
      entering && deps.listings.enter(subject, entering),
      ...(command?.effects ?? []).map((effect) => announce(deps, committing, effect)),
    ]);
    await commit(entry);
  } catch (error) {
    const isDoubtful = error instanceof Conflict || error instanceof Unavailable;
    if (!command || !isDoubtful || (await outcomeOf(deps, subject, command.commandId)) === "aborted") throw error;
  }
}

async function announce(
  deps: AnnounceDeps,
  { subject, sequence, ends, command, traceparent }: Committing,
  effect: StoredEffect,
): Promise<undefined> {
  if (!command) return;
  const { commandId } = command;
  const told = { sequence, ...(ends && { ends }), traceparent };
  const announcement = { v: 1, subject, commandId, effect: effectId(effect), ...told } as const;
  await deps.announcements.send(
    effectKinds[effect.kind].queue,
    announcement,
    effect.kind === "deadline" ? effect.due : undefined,
  );
}

/**
 * What became of a commit that failed: its answer may have been lost. The command's row is taken as aborted; where that succeeds
 * a late arrival of the commit fails, and workers need not wait for the commit window. Where the row is there, it says what holds.
 */
async function outcomeOf(deps: AnnounceDeps, subject: Subject, commandId: string): Promise<"committed" | "aborted"> {
  try {
    await deps.commands.abortCommand(subject, commandId);
    return "aborted";
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const found = await deps.commands.find(subject, commandId);
    return found?.state === "ready" ? "committed" : "aborted";
  }
}
