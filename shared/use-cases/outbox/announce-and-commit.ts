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
  /** The sequence of the change. */
  readonly sequence?: number;
  /** The subject has ended with the change. */
  readonly ends?: boolean;
  /** Undefined for a change without effects. */
  readonly command: NewCommand | undefined;
  /** How the subject is to be listed before the commit; undefined where it is listed already. */
  readonly entering: Entering | undefined;
  readonly traceparent: string | undefined;
  /** Writes the change and the command's row in one group. `entry` is the ETag of the subject's new entry in the list of open subjects. */
  readonly commit: (entry: string | undefined) => Promise<void>;
}

/**
 * The two steps of the outbox. First every effect of the command is announced and the subject is listed; then the change and the command's
 * row are committed in one group of the subject's partition. Returns once the commit is certain. Throws `Conflict` when the record had
 * changed since it was read, or a worker aborted the command; `Unavailable` when it is unknown whether the commit happened, or known that
 * it did not.
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
  const more = { sequence, ...(ends && { ends }), traceparent };
  const announcement = { v: 1, subject, commandId, effect: effectId(effect), ...more } as const;
  await deps.announcements.send(
    effectKinds[effect.kind].queue,
    announcement,
    effect.kind === "deadline" ? effect.due : undefined,
  );
}

/**
 * The outcome of a commit that failed: only its response may be lost. A tombstone is inserted in the command's row. Where that succeeds a
 * late arrival of the commit fails, and workers need not wait for the commit window. Where the row exists, it shows the outcome.
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
