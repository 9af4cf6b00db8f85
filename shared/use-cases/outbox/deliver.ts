import { effectId, effectKinds, type EffectKind, type StoredEffect, type SubjectKindOf } from "../../domain/effects.ts";
import { after, msBetween, type Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { CallContext, NewId } from "../../ports/clock.ts";
import type { Command, WebhookAttempt } from "../../ports/commands.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { Subject } from "../../ports/subjects.ts";
import { callOperator, dependencyAway, type CallOperatorDeps } from "../alerts/call-operator.ts";
import { isPointlessDeadline } from "./pointless-deadline.ts";
import { AWAY_FAILURES, backOff } from "./back-off.ts";
import { committedCommand, type Delivery, type FindCommandDeps, type FoundCommand } from "./committed-command.ts";
import { isCarriedOut, leaveAfterCommand, leaveOpenList, type LeaveOpenListDeps } from "./leave-open-list.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";

export interface DeliverDeps extends FindCommandDeps, LeaveOpenListDeps, CallOperatorDeps {
  readonly newId: NewId;
}

/** One effect of a committed command, to be carried out idempotently. */
export interface Work<Kind extends EffectKind = EffectKind> {
  readonly subject: Extract<Subject, { readonly kind: SubjectKindOf<Kind> }>;
  readonly announcement: Announcement;
  readonly isRedelivered: boolean;
  readonly command: Command;
  readonly effect: StoredEffect<Kind>;
  readonly call: CallContext;
}

/**
 * `done`: mark the effect complete; with the attempt that did it, in the same group, where there is one. `implied`: the subject itself tells that
 * nothing is left to do. `superseded`: a duplicate has already scheduled the next attempt. Otherwise schedule the next
 * attempt so many seconds from now (the effect's own schedule, not a failure), then call `onScheduled`.
 */
export type Outcome =
  | "done"
  | { readonly done: WebhookAttempt }
  | "implied"
  | "superseded"
  | {
      readonly retryInSeconds: number;
      readonly announcement: Announcement;
      readonly onScheduled?: () => Promise<void>;
    };

/** What a worker does with an effect. It may run again after a crash, and must come to the same. */
export type CarryOut = (work: Work) => Promise<Outcome>;

/** After so long a message that fails by a mistake of ours is thrown, until the broker buries it. A passing failure has no end. */
const GIVEN_UP_SECONDS = 24 * 3600;

/**
 * The worker's half of the protocol: finds out whether the announced command was committed, carries the effect out, marks it done. A
 * message is finished, rescheduled, or thrown: nothing is swallowed. Nothing is thrown at once: the broker brings back what is thrown without
 * a pause, and its deliveries are spent within seconds, also where the next version of the app would have mended it.
 */
export async function deliver(deps: DeliverDeps, delivery: Delivery, carryOut: CarryOut): Promise<void> {
  try {
    await attempt(deps, delivery, carryOut);
  } catch (error) {
    const { announcement, enqueuedAt } = delivery;
    const failed = (announcement.failures ?? 0) + 1;
    const isKept = await reportFailure(deps, delivery, failed, error);
    const tries = isKept ? failed : failed - 1; // else the next try calls the operator again
    await backOff(deps, { enqueuedAt, failures: tries }, (at) => sendAgain(deps, delivery, tries, at));
  }
}

/**
 * Tells the operator of a failure: of a dependency once it is away for long, of a mistake of ours each time. Throws the mistake on once it
 * has been one for a day. False where an operator was to be called, and could not be.
 */
async function reportFailure(deps: DeliverDeps, delivery: Delivery, tries: number, error: unknown): Promise<boolean> {
  const { queue, announcement, enqueuedAt } = delivery;
  if (error instanceof Unavailable)
    return tries !== AWAY_FAILURES || (await callOperator(deps, dependencyAway(error, enqueuedAt)));
  if (msBetween(announcement.firstEnqueuedAt ?? enqueuedAt, enqueuedAt) >= GIVEN_UP_SECONDS * 1000) throw error;
  const { commandId, effect } = announcement;
  deps.operatorLog.failed({ queue, commandId, effect, tries, error: String(error) });
  return true;
}

/** The message once more, with the time at which its command was announced: within the commit window the command may still come. */
const sendAgain = (
  { announcements }: DeliverDeps,
  { queue, announcement, enqueuedAt }: Delivery,
  tries: number,
  at: Instant,
): Promise<void> =>
  announcements.send(
    queue,
    { ...announcement, firstEnqueuedAt: announcement.firstEnqueuedAt ?? enqueuedAt, failures: tries },
    at,
  );

async function attempt(deps: DeliverDeps, delivery: Delivery, carryOut: CarryOut): Promise<void> {
  const began = deps.clock.now();
  const { announcement } = delivery;
  const { subject } = announcement;
  if (await isPointlessDeadline(deps, announcement)) return;
  const found = await committedCommand(deps, delivery);
  if (found === "awaited") return;
  // An entry may have been written for a commit that never came.
  if (!found) return leaveOpenList(deps, subject);
  const { command } = found;
  const work = workOf(deps, delivery, command);
  // Also where nothing was left to do: the run that did it may have died before this.
  if (!work) return leaveWithLast(deps, subject, command);
  const outcome = await retryOnConflict(() => carryOut(work));
  if (outcome === "superseded" || outcome === "implied") return;
  if (outcome === "done") return finish(deps, announcement, found);
  if ("done" in outcome) return finish(deps, announcement, found, outcome.done);
  // The worker's own clock measures how long it took, and nothing else: it may be wrong.
  const tookSeconds = msBetween(began, deps.clock.now()) / 1000;
  const at = after(delivery.enqueuedAt, tookSeconds + outcome.retryInSeconds);
  // What it needs has answered: failures to come are counted anew, and from then on.
  const again = { ...outcome.announcement, failures: undefined, firstEnqueuedAt: undefined };
  await deps.announcements.send(effectKinds[work.effect.kind].again, again, at);
  await outcome.onScheduled?.();
}

/**
 * What is left to do for an announcement; undefined where its command is done with it. Throws where a committed command has no such
 * effect on this queue: the message was made or moved wrongly, or by a version to come.
 */
function workOf(
  deps: DeliverDeps,
  { announcement, queue, isRedelivered }: Delivery,
  command: Command,
): Work | undefined {
  const { subject, traceparent } = announcement;
  const effect = command.effects.find((e) => effectId(e) === announcement.effect);
  const carriers = effect && [effectKinds[effect.kind].queue, effectKinds[effect.kind].again];
  if (!effect || !carriers?.includes(queue)) {
    throw new Error(`command ${command.commandId} has no effect ${announcement.effect} on the queue ${queue}`);
  }
  if (command.done.includes(announcement.effect) && !announcement.replay) return undefined;
  const call = { now: deps.clock.now, newId: deps.newId, traceparent };
  return { subject, announcement, isRedelivered, command, effect, call };
}

/** Marks the effect done; with the last one of its command the subject may leave the list of open ones. */
async function finish(
  deps: DeliverDeps,
  { subject, commandId, effect }: Announcement,
  { command, others }: FoundCommand,
  attempt?: WebhookAttempt,
): Promise<void> {
  let read: Command | undefined = command;
  const marked = await retryOnConflict(async () => {
    const latest = read ?? (await deps.commands.find(subject, commandId));
    read = undefined; // after a conflict it is read anew
    if (latest?.state !== "ready") return undefined;
    if (attempt || !latest.done.includes(effect)) await deps.commands.markDone(subject, latest, effect, attempt);
    return { ...latest, done: [...latest.done, effect] };
  });
  if (marked) await leaveWithLast(deps, subject, marked, others);
}

/**
 * With the last effect of its command a subject may have ended. A payment's command says so, since it was committed; action requests and token
 * requests are few, and looked at.
 */
async function leaveWithLast(
  deps: DeliverDeps,
  subject: Subject,
  command: Command,
  others?: readonly Command[],
): Promise<void> {
  if (!isCarriedOut(command)) return;
  if (subject.kind !== "payment") return leaveOpenList(deps, subject);
  const { leaves } = command;
  if (leaves !== undefined) await leaveAfterCommand(deps, { ...command, leaves }, others);
}
