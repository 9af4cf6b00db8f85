import { dueOf, effectId, type StoredEffect } from "../../domain/effects.ts";
import { queueOf } from "../../ports/queues.ts";
import { newestVersion } from "../../ports/stored-forms.ts";
import { msBetween } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { NewCommand } from "../../stores/commands.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import type { Log } from "../../ports/log.ts";
import { namesOfSubject, type Subject } from "../../ports/subjects.ts";
import type { Needs } from "../needs.ts";

export interface AnnounceDeps extends Needs<"announcements" | "commands"> {
  readonly log: Pick<Log, "write">;
}

/** A commit that takes longer is logged. After the commit window it would be aborted. */
const SLOW_COMMIT_MS = 1_000;

/** A command that is about to be committed. */
export interface Committing {
  readonly subject: Subject;
  /** The sequence of the change. */
  readonly sequence?: number;
  /** Undefined for a change without effects. */
  readonly command: NewCommand | undefined;
  /** Writes other data before the commit, while the announcements are sent. */
  readonly beside?: (() => Promise<void>) | undefined;
  /** The call that commits it. */
  readonly call: Pick<CallContext, "now" | "traceparent">;
  /** Writes the change and the command's row in one group. */
  readonly commit: () => Promise<void>;
}

/**
 * The two steps of the outbox:
 *
 * 1. Every effect of the command is announced.
 * 2. The change and the command's row are committed in one group of the subject's partition.
 *
 * Returns once the commit is certain. Throws `Conflict` if the record changed since it was read, or if a worker aborted the command. Throws
 * `Unavailable` if it is unknown whether the commit happened, or known that it did not.
 */
export async function announceAndCommit(deps: AnnounceDeps, committing: Committing): Promise<void> {
  const { subject, command, call } = committing;
  const began = call.now();
  await commitSurely(deps, committing);
  const ms = msBetween(began, call.now());
  if (ms > SLOW_COMMIT_MS)
    deps.log.write("slowCommit", { ...namesOfSubject(subject), commandID: command?.commandId, ms });
}

async function commitSurely(deps: AnnounceDeps, committing: Committing): Promise<void> {
  const { command, beside, commit } = committing;
  try {
    await Promise.all([
      beside?.(),
      ...(command ? command.effects.map((effect) => announce(deps, committing, command, effect)) : []),
    ]);
    await commit();
  } catch (error) {
    const isDoubtful = error instanceof Conflict || error instanceof Unavailable;
    if (!command || !isDoubtful || (await outcomeOf(deps, committing, command.commandId)) === "aborted") throw error;
  }
}

async function announce(
  deps: AnnounceDeps,
  { subject, sequence, call }: Committing,
  { commandId }: NewCommand,
  effect: StoredEffect,
): Promise<void> {
  const due = dueOf(effect);
  const at = effect.kind === "look" ? due : undefined;
  const createdAt = effect.kind === "message" ? effect.envelope.slot.createdAt : undefined;
  const more = { sequence, at, createdAt, traceparent: call.traceparent };
  const announcement = { v: newestVersion, subject, commandId, effect: effectId(effect), ...more } as const;
  await deps.announcements.send(queueOf[effect.kind], announcement, due);
}

/**
 * Finds the outcome of a failed commit, because only its response may be lost. Inserts a tombstone in the command's row. If that succeeds,
 * a late arrival of the commit fails, and workers need not wait for the commit window. If the row exists, it shows the outcome.
 */
async function outcomeOf(
  deps: AnnounceDeps,
  { subject, call }: Committing,
  commandId: string,
): Promise<"committed" | "aborted"> {
  try {
    await deps.commands.abortCommand(subject, commandId, call.now());
    return "aborted";
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const found = await deps.commands.find(subject, commandId);
    return found?.state === "ready" ? "committed" : "aborted";
  }
}
