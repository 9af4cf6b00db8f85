import { dueOf, effectId, type StoredEffect } from "../../../domain/effects.ts";
import type { SentMessage } from "../../../domain/payment/life/waits.ts";
import { earliestLook } from "../../../domain/payment/life/deadlines.ts";
import type { Payment } from "../../../domain/payment/record/payment.ts";
import { dueAt } from "../../../domain/payment/reports/overdue.ts";
import type { InboxMessage } from "../../../domain/terminal-inbox.ts";
import { after, earlier, type Instant } from "../../../domain/time.ts";
import { standardTimings } from "../../../domain/timings.ts";
import type { Command } from "../../../stores/commands.ts";

/** A committed effect that is not carried out yet. */
export interface Undone {
  readonly commandId: string;
  readonly effect: StoredEffect;
  /** When it should have been carried out: at its commit, or when its deadline passes. */
  readonly since: Instant | undefined;
}

/** The records of a subject that were read. Empty for one that is not a payment. */
interface Found {
  readonly payment?: Payment | undefined;
  readonly inbox?: readonly (SentMessage & Pick<InboxMessage, "messageId" | "isHeld">)[];
}

/** Seconds after which an undone effect is overdue. Nearly all effects take less than one second. */
const OVERDUE_SECONDS = 600;

/**
 * The effects of these commands of one subject that are not marked done and, for a payment, are still due. A payment's message is due while
 * it is held. A payment that awaits something needs a look at it, of any command that has one. A message that waits for its terminal is
 * looked at from now on.
 *
 * @param found the subject's payment, and the messages of it that its terminal has not answered
 */
export function undoneIn(commands: readonly Command[], { payment, inbox = [] }: Found, now: Instant): Undone[] {
  const held = new Set(inbox.filter(({ isHeld }) => isHeld).map(({ messageId }) => messageId));
  const committed = commands.filter(({ state }) => state === "ready");
  const undone = committed.flatMap(({ commandId, effects, done, at }) =>
    effects
      .filter((effect) => effect.kind !== "look" && !done.includes(effectId(effect)))
      .filter(({ kind }) => kind !== "message" || payment === undefined || held.has(commandId))
      .map((effect) => ({ commandId, effect, since: dueOf(effect) ?? at })),
  );
  const look = payment && lookAt(payment, inbox, now);
  const looking = look && committed.find(({ effects }) => effects.some(({ kind }) => kind === "look"));
  if (!look || !looking) return undone;
  return [...undone, { commandId: looking.commandId, effect: { kind: "look", at: look.at }, since: look.since }];
}

/** The next look at a payment, and since when something is due. Undefined if the payment awaits nothing. */
function lookAt(
  payment: Payment,
  inbox: NonNullable<Found["inbox"]>,
  now: Instant,
): { readonly at: Instant; readonly since: Instant } | undefined {
  const messageOf = (sequence: number) => inbox.find(({ slot }) => slot.sequence === sequence);
  const terminal = { messageOf, isRetired: false };
  const [since] = payment.deadlines
    .map((deadline) => dueAt(payment, deadline, terminal, { timings: standardTimings }))
    .toSorted();
  const first = earliestLook(payment, standardTimings);
  return since === undefined || first === undefined
    ? undefined
    : { at: first < now ? earlier(since, now) : first, since };
}

/** An effect that was due by this moment is overdue. */
export const overdueSince = (now: Instant): Instant => after(now, -OVERDUE_SECONDS);

export const isOverdue = ({ since }: Undone, now: Instant): boolean =>
  since === undefined || since <= overdueSince(now);
