import { effectId, type StoredEffect } from "../../domain/effects.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import { isAwaited } from "../../domain/payment/timeouts.ts";
import { after, type Instant } from "../../domain/time.ts";
import type { Command } from "../../ports/commands.ts";

/** An effect that was committed and is not carried out. */
export interface Undone {
  readonly commandId: string;
  readonly effect: StoredEffect;
  /** When it was to be carried out: at its commit, or when its deadline passes. */
  readonly since: Instant | undefined;
}

/** Seconds after which an effect that is not done is overdue: nearly all take less than one. */
const OVERDUE_SECONDS = 600;

/** What is not marked done in these commands of one subject, and, where that is a payment, still asks for something. */
export const undoneIn = (commands: readonly Command[], payment: Payment | undefined): Undone[] =>
  commands
    .filter(({ state }) => state === "ready")
    .flatMap(({ commandId, effects, done, at }) =>
      effects
        .filter((effect) => !done.includes(effectId(effect)))
        .filter((effect) => payment === undefined || isStillDue(payment, commandId, effect))
        .map((effect) => ({ commandId, effect, since: effect.kind === "deadline" ? effect.due : at })),
    );

/** Admissions and most deadlines of a payment are not marked: the payment tells what became of them. */
function isStillDue(payment: Payment, commandId: string, effect: StoredEffect): boolean {
  if (effect.kind === "admission") return payment.status === "pending";
  return effect.kind !== "deadline" || isAwaited(payment, { deadline: effect.deadline, commandId });
}

export const isOverdue = ({ since }: Undone, now: Instant): boolean =>
  since === undefined || after(since, OVERDUE_SECONDS) <= now;

/** How many subjects are looked at side by side. */
const AT_ONCE = 16;

/** Acts on each, some side by side. */
export async function eachOf<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < items.length; i += AT_ONCE)
    results.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(act))));
  return results;
}
