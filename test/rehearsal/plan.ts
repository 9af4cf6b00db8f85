import type { TroubleName } from "./trouble-names.ts";

/** The part of a day that belongs to one trouble: some time without it, the trouble, and some time without it again. */
export interface Slot {
  readonly trouble: TroubleName;
  /** Seconds since the day began. */
  readonly from: number;
  readonly begins: number;
  readonly ends: number;
  readonly to: number;
}

/** The terminals come online, and the first payments find cold caches: that is no trouble's "before". */
const WARM_UP_SECONDS = 5;
const WARM_UP_PART = 0.1;
const BEFORE_PART = 0.3;
const DURING_PART = 0.35;

/** The slots of a day, one trouble after the other, after a short warm-up. */
export function planOf(minutes: number, troubles: readonly TroubleName[]): readonly Slot[] {
  const seconds = minutes * 60;
  const warmUp = Math.min(WARM_UP_SECONDS, seconds * WARM_UP_PART);
  const length = (seconds - warmUp) / troubles.length;
  return troubles.map((trouble, i) => {
    const from = warmUp + i * length;
    const begins = from + length * BEFORE_PART;
    return { trouble, from, begins, ends: begins + length * DURING_PART, to: from + length };
  });
}
