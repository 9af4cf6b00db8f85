import { CALM, DAY, HOUR, USUAL_LENGTH } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { absencesOf } from "./absences.ts";
import type { Partner } from "./partner.ts";
import type { Plan } from "./plan.ts";
import type { Waits } from "./waits.ts";

/** No change is requested in the last hours of a world, so that its messages end. */
const LAST_CHANGE = 32 * HOUR;
/** Authorizations are captured up to shortly before they would be voided. */
const LAST_CAPTURE = 34 * HOUR;

/**
 * In a world with long waits partners capture and refund hours and days after the sale, mostly while the terminal is off. An authorization
 * is captured within its day and a half, sometimes again and again.
 */
export function startLateChanges(world: World, partner: Partner, waits: Waits, plans: readonly Plan[]): void {
  if (!waits.areLong) return;
  const { agenda, end } = world;
  const { fate } = waits;
  for (const plan of plans) {
    const absences = absencesOf(world, waits, plan.terminalId).filter(({ from }) => from > CALM);
    const moment = (most: number): number => {
      const [first, ...others] = absences.filter(({ from }) => from < most);
      if (!first || fate.chance(0.3)) return fate.between(CALM + HOUR, most);
      const { from, lasts } = fate.pick(first, ...others);
      return fate.between(from, Math.min(most, from + lasts));
    };
    for (let i = fate.pick(0, 1, 1, 3); i > 0; i--)
      agenda.after(moment(LAST_CAPTURE), () => void partner.captureLate(plan));
    const last = end > USUAL_LENGTH && fate.chance(0.5) ? Math.min(28 * DAY, end - LAST_CHANGE) : end - LAST_CHANGE;
    for (let i = fate.pick(1, 2, 3, 4); i > 0; i--) agenda.after(moment(last), () => void partner.returnLate(plan));
  }
}
