import { dueOf, effectId, type StoredEffect } from "../../../domain/effects.ts";
import type { Payment } from "../../../domain/payment/record/payment.ts";
import type { InboxMessage } from "../../../domain/terminal-inbox.ts";
import { after, type Instant } from "../../../domain/time.ts";
import type { Command } from "../../../stores/commands.ts";

/** A committed effect that is not carried out yet. */
export interface Undone {
  readonly commandId: string;
  readonly effect: StoredEffect;
  /** When it should have been carried out: at its commit, or when its deadline passes. */
  readonly since: Instant | undefined;
}

/** Seconds after which an undone effect is overdue. Nearly all effects take less than one second. */
const OVERDUE_SECONDS = 600;

/**
 * The effects of these commands of one subject that are not marked done and, for a payment, are still due. A payment's message is due while
 * it is held. A payment that awaits something needs a look at it, of any command that has one.
 *
 * @param inbox the messages of the payment that its terminal has not answered
 */
export function undoneIn(
  commands: readonly Command[],
  payment?: Payment,
  inbox: readonly Pick<InboxMessage, "messageId" | "isHeld">[] = [],
): Undone[] {
  const held = new Set(inbox.filter(({ isHeld }) => isHeld).map(({ messageId }) => messageId));
  const committed = commands.filter(({ state }) => state === "ready");
  const undone = committed.flatMap(({ commandId, effects, done, at }) =>
    effects
      .filter((effect) => effect.kind !== "look" && !done.includes(effectId(effect)))
      .filter(({ kind }) => kind !== "message" || payment === undefined || held.has(commandId))
      .map((effect) => ({ commandId, effect, since: dueOf(effect) ?? at })),
  );
  const [first] = payment?.deadlines ?? [];
  const looking = first && committed.find(({ effects }) => effects.some(({ kind }) => kind === "look"));
  if (!first || !looking) return undone;
  return [...undone, { commandId: looking.commandId, effect: { kind: "look", at: first.at }, since: first.at }];
}

export const isOverdue = ({ since }: Undone, now: Instant): boolean =>
  since === undefined || after(since, OVERDUE_SECONDS) <= now;
