import { CALM, DAY, HOUR, MINUTE, USUAL_LENGTH } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Waits } from "./waits.ts";

/** An absent terminal is back by then, so that the world can settle. */
const BACK_BEFORE_END = 24 * HOUR;

/** A time for which a terminal is off, in milliseconds of the world. */
interface Absence {
  readonly from: number;
  readonly lasts: number;
}

/**
 * When a terminal is off for hours or days, in a world with long waits: while the world has faults, and after its calm. Captures and refunds
 * then wait for it. It is back before the calm, when new payments must succeed. The same at each call.
 */
export function absencesOf(world: World, { areLong }: Pick<Waits, "areLong">, terminalId: string): readonly Absence[] {
  if (!areLong) return [];
  const fate = world.fateOf(`absences of ${terminalId}`);
  const absences: Absence[] = [];
  const absent = (from: number, ms: number) => {
    const lasts = Math.min(ms, world.end - BACK_BEFORE_END - from);
    if (lasts > 0) absences.push({ from, lasts });
  };
  if (fate.chance(0.4)) absent(fate.between(MINUTE, 20 * MINUTE), fate.between(20 * MINUTE, 2 * HOUR));
  if (fate.chance(0.8))
    absent(fate.between(CALM + HOUR, 25 * HOUR), fate.pick(fate.between(2, 12), fate.between(20, 44)) * HOUR);
  const isLong = world.end > USUAL_LENGTH;
  for (let i = isLong ? fate.between(1, 3) : 0; i > 0; i--)
    absent(fate.between(4 * DAY, world.end - 12 * DAY), fate.between(HOUR, 9 * DAY));
  return absences;
}
