import { effectId, type StoredEffect } from "../../domain/effects.ts";
import { after, type Instant } from "../../domain/time.ts";
import type { Command } from "../../ports/commands.ts";

/** An effect that was committed and is not marked done. */
export interface Undone {
  readonly commandId: string;
  readonly effect: StoredEffect;
  /** When it was to be carried out: at its commit, or when its deadline passes. */
  readonly since: Instant | undefined;
}

/** Seconds after which an effect that is not done is overdue: nearly all take less than one. */
const OVERDUE_SECONDS = 600;

export const undoneIn = (commands: readonly Command[]): Undone[] =>
  commands
    .filter(({ state }) => state === "ready")
    .flatMap(({ commandId, effects, done, at }) =>
      effects
        .filter((effect) => !done.includes(effectId(effect)))
        .map((effect) => ({ commandId, effect, since: effect.kind === "deadline" ? effect.due : at })),
    );

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
