import { effectId } from "../../domain/effects.ts";
import { after, msBetween, type Instant } from "../../domain/time.ts";
import type { Timings } from "../../domain/timings.ts";
import type { Announcement, Announcements, QueueName } from "../../ports/announcements.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Command, Commands, ReadyEffect } from "../../ports/commands.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import type { PaymentKey, RequestKey, Subject } from "../../ports/subjects.ts";

export interface DeliverDeps {
  readonly commands: Commands;
  readonly announcements: Announcements;
  readonly clock: Clock;
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
export interface Work<E extends ReadyEffect = ReadyEffect> {
  readonly announcement: Announcement;
  readonly command: Command;
  readonly effect: E;
}

/**
 * `done`; or `passed on`: another copy of the announcement sees to it from here; or to be tried again so many seconds from now (an
 * effect's own schedule, not a failure), which is noted once it is sure.
 */
export type Outcome =
  | "done"
  | "passed on"
  | { readonly again: number; readonly announcement: Announcement; readonly note?: () => Promise<void> };

/** The payment that an announcement is about; another subject has no such effect, and the message was made wrongly. */
export function paymentOf(subject: Subject): PaymentKey {
  if (subject.kind !== "payment") throw new Error(`an effect of a payment was announced for an ${subject.kind}`);
  return subject;
}

/** The customer's request that an announcement is about. */
export function tokenRequestOf(subject: Subject): RequestKey {
  if (subject.kind !== "tokenRequest") throw new Error(`a customer's token was announced for a ${subject.kind}`);
  return subject;
}

/** What a worker does with an effect. It may run again after a crash, and must come to the same. */
export type CarryOut = (work: Work) => Promise<Outcome>;

/**
 * The worker's half of the protocol: finds out whether the announced command was committed, carries the effect out, marks it
 * done. A message is finished, rescheduled, or thrown: nothing is swallowed.
 */
export async function deliver(deps: DeliverDeps, delivery: Delivery, carryOut: CarryOut): Promise<void> {
  try {
    await attempt(deps, delivery, carryOut);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    await backOff(deps, delivery, error);
  }
}

async function attempt(deps: DeliverDeps, delivery: Delivery, carryOut: CarryOut) {
  const { announcement, enqueuedAt } = delivery;
  const { subject } = announcement;
  const began = deps.clock.now();
  const command = await committed(deps, delivery);
  const effect = command?.effects.find((e) => effectId(e) === announcement.effect);
  if (!command || !effect) return;
  const work = { announcement, command, effect };
  if (command.done.includes(announcement.effect) && !announcement.replay) return;
  const outcome = await retryOnConflict(() => carryOut(work));
  if (outcome === "passed on") return;
  if (outcome !== "done") {
    // The worker's own clock measures how long it took, and nothing else: it may be wrong.
    const at = after(enqueuedAt, msBetween(began, deps.clock.now()) / 1000 + outcome.again);
    await deps.announcements.send(delivery.queue, outcome.announcement, at);
    return outcome.note?.();
  }
  await retryOnConflict(async () => {
    const latest = await deps.commands.find(subject, announcement.commandId);
    if (latest?.state === "ready" && !latest.done.includes(announcement.effect)) {
      await deps.commands.markDone(subject, latest, announcement.effect);
    }
  });
}

/** A commit follows its announcement within milliseconds: these looks spare nearly every message a second delivery. */
const FIRST_LOOKS_MS = [10, 30, 60, 120];

/**
 * The command that was announced, if it was committed. While it may still be committed the announcement is sent on; after the
 * window its place is taken by a void, and what then stands there is what holds: a void of one's own is dropped.
 */
async function committed(
  deps: DeliverDeps,
  { queue, announcement, enqueuedAt }: Delivery,
): Promise<Command | undefined> {
  const { subject, commandId } = announcement;
  const first = announcement.first ?? enqueuedAt;
  let command = await deps.commands.find(subject, commandId);
  for (const pause of FIRST_LOOKS_MS) {
    if (command) break;
    await deps.clock.sleep(pause);
    command = await deps.commands.find(subject, commandId);
  }
  if (!command && msBetween(first, enqueuedAt) < deps.timings.commitWindowSeconds * 1000) {
    const looks = (announcement.looks ?? 0) + 1;
    await deps.announcements.send(queue, { ...announcement, first, looks }, after(enqueuedAt, 2 ** Math.min(looks, 4)));
    return undefined;
  }
  if (!command) {
    try {
      await deps.commands.voidCommand(subject, commandId);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
    command = await deps.commands.find(subject, commandId);
  }
  return command?.state === "ready" ? command : undefined;
}

/**
 * A dependency in trouble: a copy of the message is scheduled, 1 s doubling to 5 min, and this one is finished. A throw would
 * come back at once and be a dead letter within seconds; only when the bus takes nothing either it is thrown, after a while.
 */
async function backOff(deps: DeliverDeps, { queue, announcement, enqueuedAt }: Delivery, cause: Unavailable) {
  const tries = (announcement.tries ?? 0) + 1;
  const seconds = Math.min(300, 2 ** (tries - 1));
  const copy = { ...announcement, first: announcement.first ?? enqueuedAt, tries };
  try {
    await deps.announcements.send(queue, copy, after(enqueuedAt, seconds));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    await deps.clock.sleep(20_000);
    throw cause;
  }
}
