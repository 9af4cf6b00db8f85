import {
  effectId,
  effectKinds,
  type EffectKind,
  type QueueName,
  type StoredEffect,
  type SubjectKindOf,
} from "../../domain/effects.ts";
import { after, msBetween, type Instant } from "../../domain/time.ts";
import type { Timings } from "../../domain/timings.ts";
import type { Announcement, Announcements } from "../../ports/announcements.ts";
import type { CallContext, Clock, NewId } from "../../ports/clock.ts";
import type { Command } from "../../ports/commands.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import type { Subject } from "../../ports/subjects.ts";
import { callOperator, dependencyAway, type CallOperatorDeps } from "../alerts/call-operator.ts";
import { AWAY_TRIES, backOff } from "./back-off.ts";
import { isCarriedOut, leaveOpenList, type LeaveOpenListDeps } from "./leave-open-list.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";

export interface DeliverDeps extends LeaveOpenListDeps, CallOperatorDeps {
  readonly announcements: Announcements;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly timings: Timings;
}

/** An announcement as the broker handed it over. */
export interface Delivery {
  readonly queue: QueueName;
  readonly announcement: Announcement;
  /** The broker's time, the only one that announcements are compared by. */
  readonly enqueuedAt: Instant;
}

/** One effect of a committed command, to be carried out idempotently. */
export interface Work<Kind extends EffectKind = EffectKind> {
  readonly subject: Extract<Subject, { readonly kind: SubjectKindOf<Kind> }>;
  readonly announcement: Announcement;
  readonly command: Command;
  readonly effect: StoredEffect<Kind>;
  readonly call: CallContext;
}

/**
 * `done`: mark the effect complete. `superseded`: a duplicate has already scheduled the next attempt. Otherwise schedule the next
 * attempt so many seconds from now (the effect's own schedule, not a failure), then call `onScheduled`.
 */
export type Outcome =
  | "done"
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
    const failed = (announcement.tries ?? 0) + 1;
    const isKept = await tellOf(deps, delivery, failed, error);
    const tries = isKept ? failed : failed - 1; // else the next try calls the operator again
    await backOff(deps, { enqueuedAt, tries }, (at) => sendAgain(deps, delivery, tries, at));
  }
}

/**
 * Tells the operator of a failure: of a dependency once it is away for long, of a mistake of ours each time. Throws the mistake on once it
 * has been one for a day. False where an operator was to be called, and could not be.
 */
async function tellOf(deps: DeliverDeps, delivery: Delivery, tries: number, error: unknown): Promise<boolean> {
  const { queue, announcement, enqueuedAt } = delivery;
  if (error instanceof Unavailable)
    return tries !== AWAY_TRIES || (await callOperator(deps, dependencyAway(error, enqueuedAt)));
  if (msBetween(announcement.first ?? enqueuedAt, enqueuedAt) >= GIVEN_UP_SECONDS * 1000) throw error;
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
): Promise<void> => announcements.send(queue, { ...announcement, first: announcement.first ?? enqueuedAt, tries }, at);

async function attempt(deps: DeliverDeps, delivery: Delivery, carryOut: CarryOut): Promise<void> {
  const began = deps.clock.now();
  const { announcement } = delivery;
  const command = await committedCommand(deps, delivery);
  if (command === "awaited") return;
  const work = command && workOf(deps, delivery, command);
  // Also where nothing was left to do: the run that did it may have died before this.
  if (!work) return leaveOpenList(deps, announcement.subject);
  const outcome = await retryOnConflict(() => carryOut(work));
  if (outcome === "superseded") return;
  if (outcome === "done") return finish(deps, announcement);
  // The worker's own clock measures how long it took, and nothing else: it may be wrong.
  const tookSeconds = msBetween(began, deps.clock.now()) / 1000;
  const at = after(delivery.enqueuedAt, tookSeconds + outcome.retryInSeconds);
  // What it needs has answered: failures to come are counted anew, and from then on.
  const again = { ...outcome.announcement, tries: undefined, first: undefined };
  await deps.announcements.send(effectKinds[work.effect.kind].again, again, at);
  await outcome.onScheduled?.();
}

/**
 * What is left to do for an announcement; undefined where its command is done with it. Throws where a committed command has no such
 * effect on this queue: the message was made or moved wrongly, or by a version to come.
 */
function workOf(deps: DeliverDeps, { announcement, queue }: Delivery, command: Command): Work | undefined {
  const { subject, traceparent } = announcement;
  const effect = command.effects.find((e) => effectId(e) === announcement.effect);
  const carriers = effect && [effectKinds[effect.kind].queue, effectKinds[effect.kind].again];
  if (!effect || !carriers?.includes(queue)) {
    throw new Error(`command ${command.commandId} has no effect ${announcement.effect} on the queue ${queue}`);
  }
  if (command.done.includes(announcement.effect) && !announcement.replay) return undefined;
  const call = { now: deps.clock.now, newId: deps.newId, traceparent };
  return { subject, announcement, command, effect, call };
}

/** Marks the effect done; with the last one of its command the subject may have ended. */
async function finish(deps: DeliverDeps, announcement: Announcement): Promise<void> {
  const { subject, commandId, effect } = announcement;
  const isLast = await retryOnConflict(async () => {
    const latest = await deps.commands.find(subject, commandId);
    if (latest?.state !== "ready") return false;
    if (!latest.done.includes(effect)) await deps.commands.markDone(subject, latest, effect);
    return isCarriedOut({ ...latest, done: [...latest.done, effect] });
  });
  if (isLast) await leaveOpenList(deps, subject);
}

/**
 * The command that was announced, if it was committed; `awaited` where it may still be. Inside the commit window a missing command is
 * looked for again later. After it a tombstone is inserted, so that a late commit fails, and the row is read once more: what stands there
 * holds.
 */
async function committedCommand(deps: DeliverDeps, delivery: Delivery): Promise<Command | "awaited" | undefined> {
  const { announcement } = delivery;
  let command = await lookUp(deps, announcement);
  if (!command && isWithinWindow(deps, delivery)) {
    await lookAgainLater(deps, delivery);
    return "awaited";
  }
  if (!command) {
    await insertTombstone(deps, announcement);
    command = await deps.commands.find(announcement.subject, announcement.commandId);
  }
  return command?.state === "ready" ? command : undefined;
}

/** A commit follows its announcement within milliseconds: these lookups spare nearly every message a second delivery. */
const LOOKUP_PAUSES_MS = [10, 30, 60, 120];

async function lookUp(
  { commands, clock }: DeliverDeps,
  { subject, commandId }: Announcement,
): Promise<Command | undefined> {
  let command = await commands.find(subject, commandId);
  for (const pause of LOOKUP_PAUSES_MS) {
    if (command) break;
    await clock.sleep(pause);
    command = await commands.find(subject, commandId);
  }
  return command;
}

const isWithinWindow = ({ timings }: DeliverDeps, { announcement, enqueuedAt }: Delivery): boolean =>
  msBetween(announcement.first ?? enqueuedAt, enqueuedAt) < timings.commitWindowSeconds * 1000;

async function lookAgainLater(deps: DeliverDeps, { queue, announcement, enqueuedAt }: Delivery): Promise<void> {
  const looks = (announcement.looks ?? 0) + 1;
  const copy = { ...announcement, first: announcement.first ?? enqueuedAt, looks };
  await deps.announcements.send(queue, copy, after(enqueuedAt, 2 ** Math.min(looks, 4)));
}

async function insertTombstone({ commands }: DeliverDeps, { subject, commandId }: Announcement): Promise<void> {
  try {
    await commands.voidCommand(subject, commandId);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
