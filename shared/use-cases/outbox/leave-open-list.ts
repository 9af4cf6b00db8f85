import { effectId, isImpliedBySubject } from "../../domain/effects.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Subject } from "../../ports/subjects.ts";
import type { Command } from "../../stores/commands.ts";
import type { OpenEntry } from "../../stores/listings.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import { rulesOf, type Subjects } from "./subject.ts";
import type { Needs } from "../needs.ts";

export interface LeaveOpenListDeps extends Needs<"commands" | "listings"> {
  readonly subjects: Subjects;
}

/** Whether the command has no work left once its subject has ended. True for an aborted command too. */
export const isCarriedOut = ({ subject, state, effects, done }: Omit<Command, "etag">): boolean =>
  state === "aborted" ||
  effects.every((effect) => isImpliedBySubject(effect, subject) || done.includes(effectId(effect)));

/**
 * Removes a payment from the list of open subjects after the last effect of the command that ended it. If other commands of the payment are
 * not carried out, their workers remove it. Each of these commands is marked by a write on its ETag, so a worker that finishes one
 * meanwhile sees the mark.
 *
 * The entry is removed by the ETag that it had at the commit. That fails if a later commit has written the entry again, or if the entry was
 * written for a commit that failed. Then the payment itself is read.
 *
 * @param others the other commands, if already loaded. Completed stays completed, so stale data is safe.
 */
export async function leaveAfterCommand(
  deps: LeaveOpenListDeps,
  { subject, commandId, leaves: etag }: Command & { readonly leaves: string },
  others?: readonly Command[],
): Promise<void> {
  const isLeftToOthers = others?.every(isCarriedOut)
    ? false
    : await retryOnConflict(async () => {
        const all = await deps.commands.ofSubject(subject);
        const undone = all.filter((one) => one.commandId !== commandId && !isCarriedOut(one));
        for (const one of undone) if (one.leaves === undefined) await deps.commands.leaveAfter(subject, one, etag);
        return undone.length > 0;
      });
  if (isLeftToOthers) return;
  try {
    await deps.listings.leaveOpen({ subject, etag });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    await leaveOpenList(deps, subject);
  }
}

/** Removes a subject from the list of open subjects if it has ended and has no work left. */
export const leaveOpenList = (deps: LeaveOpenListDeps, subject: Subject): Promise<void> =>
  retryOnConflict(async () => {
    const entry = await deps.listings.findOpen(subject);
    if (entry) await leaveIfOver(deps, entry);
  });

/**
 * Removes the entry of a subject that has ended. Returns `absent` if the subject does not exist, or not yet. Throws `Conflict` if the
 * subject changed meanwhile.
 *
 * The order of the steps makes this safe next to commits, because each commit that finds its subject unlisted enters it first. The entry is
 * read, then the subject is written as unlisted. A commit after that may have been decided on the earlier version, and fails. Otherwise it
 * enters the subject again, and the entry is not removed.
 */
export async function leaveIfOver(deps: LeaveOpenListDeps, entry: OpenEntry): Promise<"gone" | "stays" | "absent"> {
  const { subject } = entry;
  const standing = await rulesOf(deps.subjects, subject).find(subject);
  if (!standing?.hasEnded) return standing ? "stays" : "absent";
  if (!(await deps.commands.ofSubject(subject)).every(isCarriedOut)) return "stays";
  await standing.unlist();
  try {
    await deps.listings.leaveOpen(entry);
    return "gone";
  } catch (error) {
    if (error instanceof Conflict) return "stays"; // entered again, for a coming commit
    throw error;
  }
}
