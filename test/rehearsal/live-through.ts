import { setTimeout as sleep } from "node:timers/promises";
import { clockText } from "./page/words.ts";
import type { Slot } from "./plan.ts";
import { troubles, type Scene } from "./troubles.ts";

/** A trouble as it happened, in seconds since the day began. */
export interface Happened extends Slot {
  readonly events: readonly { readonly at: number; readonly what: string }[];
}

interface Circumstances {
  readonly scene: Omit<Scene, "note">;
  /** Seconds since the day began. */
  readonly now: () => number;
  /** Ends the day before its time. */
  readonly signal: AbortSignal;
  /** Reports each trouble as it begins and ends. */
  readonly tell: (sentence: string) => void;
}

/**
 * Has the troubles of the slots happen, one after the other. One that takes time to begin or to end makes the day longer, so that each has
 * its whole time, and so has what follows it. Returns those that happened, with the moments at which they did. A trouble that has begun is
 * ended before this returns or throws.
 */
export async function liveThrough(slots: readonly Slot[], circumstances: Circumstances): Promise<readonly Happened[]> {
  const { now, signal } = circumstances;
  const happened: Happened[] = [];
  const wait = (seconds: number) => sleep(seconds * 1_000, undefined, { signal }).catch(() => {});
  for (const [i, slot] of slots.entries()) {
    const from = i === 0 ? slot.from : now();
    await wait(slot.begins - (i === 0 ? now() : slot.from));
    if (signal.aborted) return happened;
    const past = await happen(slot, circumstances, () => wait(slot.ends - slot.begins));
    await wait(slot.to - slot.ends);
    happened.push({ ...past, from, to: now() });
  }
  return happened;
}

async function happen(
  slot: Slot,
  { scene, now, tell }: Circumstances,
  untilOver: () => Promise<void>,
): Promise<Happened> {
  const events: { readonly at: number; readonly what: string }[] = [];
  const note = (what: string) => void events.push({ at: now(), what });
  const begins = now();
  tell(`${clockText(begins)}  ${slot.trouble} begins`);
  const end = await troubles[slot.trouble]({ ...scene, note }, slot.ends - slot.begins);
  try {
    await untilOver();
  } finally {
    await end();
  }
  const ends = now();
  tell(`${clockText(ends)}  ${slot.trouble} is over`);
  return { ...slot, begins, ends, events };
}
