import { effectId, type EffectKind, type StoredEffect, type SubjectKindOf } from "../../domain/effects.ts";
import { msBetween } from "../../domain/time.ts";
import { queueOf, retryQueueOf } from "../../ports/queues.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { Command } from "../../stores/commands.ts";
import type { WebhookAttempt } from "../../domain/webhook-attempt.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { Subject } from "../../ports/subjects.ts";
import { callOperator, dependencyAway, type CallOperatorDeps } from "../alerts/call-operator.ts";
import { AWAY_FAILURES, backOff, backOffMs } from "./back-off.ts";
import {
  committedCommand,
  type Delivery,
  type Directly,
  type FindCommandDeps,
  type FoundCommand,
} from "./committed-command.ts";
import { logFailure } from "./log-failure.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import type { Delivered, Outcome } from "./outcome.ts";
import { again, lookAgain, sendAgain } from "./schedule-again.ts";
import type { Needs } from "../needs.ts";

export type DeliverDeps = FindCommandDeps & CallOperatorDeps & Needs<"newId">;

/** One effect of a committed command, to be carried out idempotently. */
export interface Work<Kind extends EffectKind = EffectKind> {
  readonly subject: Extract<Subject, { readonly kind: SubjectKindOf<Kind> }>;
  readonly announcement: Announcement;
  readonly isRedelivered: boolean;
  readonly command: Command;
  /** The subject's other commands, as they were found with it. Undefined if they were not read. */
  readonly others: readonly Command[] | undefined;
  readonly effect: StoredEffect<Kind>;
  readonly call: CallContext;
}

/** Carries out an effect. It may run again after a crash, and must then have the same result. */
export type CarryOut = (work: Work) => Promise<Outcome>;

/**
 * How long a message is retried after an error in the platform itself. After that each delivery throws, until the broker moves the message
 * to the dead letters. An unavailable dependency is retried without limit.
 */
const GIVEN_UP_SECONDS = 24 * 3600;

/**
 * The worker's half of the protocol. Finds out whether the announced command was committed, carries the effect out, and marks it done. A
 * message is completed or rescheduled, or its error is thrown. It is never dropped.
 *
 * An error is not thrown at once, because the broker redelivers without a pause. The deliveries would be used up within seconds, even if
 * the next version of the app would have succeeded.
 */
export async function deliver(
  deps: DeliverDeps,
  delivery: Delivery,
  carryOut: CarryOut,
  directly?: Directly,
): Promise<Delivered> {
  try {
    return await attempt(deps, delivery, carryOut, directly);
  } catch (error) {
    const { announcement, enqueuedAt } = delivery;
    const failed = (announcement.failures ?? 0) + 1;
    const isKept = await reportFailure(deps, delivery, failed, error);
    const tries = isKept ? failed : failed - 1; // one less, so that the next try calls the operator again
    await backOff(deps, { enqueuedAt, failures: tries }, (at) => sendAgain(deps, delivery, tries, at));
    return { outcome: "putOff", dueMs: backOffMs(tries) };
  }
}

/**
 * Logs a failed try. The line of an error in the platform itself alerts an operator each time. For a dependency, an operator is called once
 * it has been unavailable for long. An error in the platform itself is thrown once it has lasted for a day. Returns false if an operator
 * had to be called but could not be.
 */
async function reportFailure(deps: DeliverDeps, delivery: Delivery, tries: number, error: unknown): Promise<boolean> {
  const { queue, announcement, enqueuedAt } = delivery;
  const isAway = error instanceof Unavailable;
  if (!isAway && msBetween(announcement.firstEnqueuedAt ?? enqueuedAt, enqueuedAt) >= GIVEN_UP_SECONDS * 1000)
    throw error;
  const { commandId: commandID, effect } = announcement;
  logFailure(deps.log, { queue, commandID, effect, tries }, error);
  return !isAway || tries !== AWAY_FAILURES || callOperator(deps, dependencyAway(error, enqueuedAt));
}

async function attempt(
  deps: DeliverDeps,
  delivery: Delivery,
  carryOut: CarryOut,
  directly: Directly | undefined,
): Promise<Delivered> {
  const found = await committedCommand(deps, delivery, directly);
  if (found === "awaited") return { outcome: found };
  if (!found) return { outcome: "aborted" };
  if (!("outcome" in found)) return carriedOut(deps, delivery, found, carryOut);
  const { outcome } = found;
  if (typeof outcome !== "object") return { outcome };
  return "lookAt" in outcome ? lookAgain(deps, delivery, outcome.lookAt) : { outcome: "done" };
}

/** Carries out the effect of a committed command, unless another run did. */
async function carriedOut(
  deps: DeliverDeps,
  delivery: Delivery,
  found: FoundCommand,
  carryOut: CarryOut,
): Promise<Delivered> {
  const began = deps.clock.now();
  const work = workOf(deps, delivery, found);
  if (!work) return { outcome: "doneBefore" };
  const outcome = await retryOnConflict(() => carryOut(work));
  if (typeof outcome === "string" && outcome !== "done") return { outcome };
  if (typeof outcome === "object" && !("done" in outcome)) {
    const { kind } = work.effect;
    return again(deps, delivery, { kind, tookMs: msBetween(began, deps.clock.now()) }, outcome);
  }
  await finish(deps, work, outcome);
  return { outcome: "done" };
}

/**
 * The work of an announcement; undefined if its effect is done. Throws if the committed command has no such effect on this queue. The
 * message was then made or moved wrongly, or comes from a later version.
 */
function workOf(
  deps: DeliverDeps,
  { announcement, queue, isRedelivered }: Delivery,
  { command, others }: FoundCommand,
): Work | undefined {
  const { subject, traceparent } = announcement;
  const effect = command.effects.find((e) => effectId(e) === announcement.effect);
  const carriers = effect && [queueOf[effect.kind], retryQueueOf[effect.kind]];
  if (!effect || !carriers?.includes(queue)) {
    throw new Error(`command ${command.commandId} has no effect ${announcement.effect} on the queue ${queue}`);
  }
  if (command.done.includes(announcement.effect) && !announcement.replay) return undefined;
  const call = { now: deps.clock.now, newId: deps.newId, traceparent };
  return { subject, announcement, isRedelivered, command, others, effect, call };
}

/** Marks the effect done. */
async function finish(
  deps: DeliverDeps,
  { subject, command, announcement: { effect } }: Work,
  outcome: "done" | { readonly done: WebhookAttempt },
): Promise<void> {
  const attempt = outcome === "done" ? undefined : outcome.done;
  let read: Command | undefined = command;
  await retryOnConflict(async () => {
    const latest = read ?? (await deps.commands.find(subject, command.commandId));
    read = undefined; // after a conflict the command is read again
    if (latest?.state !== "ready" || (!attempt && latest.done.includes(effect))) return;
    await deps.commands.markDone(subject, latest, effect, attempt);
  });
}
