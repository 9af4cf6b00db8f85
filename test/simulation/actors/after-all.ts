import { FAULTS_END, HOUR, MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Flaws } from "./flaws.ts";

/** The ways in which a terminal contradicts itself about money, and the probability of each on each occasion. */
const likelihood = {
  "reports a failure, and does it after all": 0.5,
  "gives a charge back without a request": 0.4,
  "captures without a request, and reports it late": 0.2,
} as const;

/** What one terminal does against its own reports. */
export interface AfterAll {
  happens(what: keyof typeof likelihood): boolean;
  /** Whether the host has carried out a move at once, although the terminal reports a failure. Otherwise it does so later. */
  isAtOnce(): boolean;
  /** The number of voids that the host refuses, because it has captured the charge. */
  refusedVoids(): number;
  /** Calls `act` within the hour, or late. */
  later(act: () => void): void;
  /** Calls `act` around the end of the time in which a charge must be captured. */
  late(act: () => void): void;
}

/** Draws from a separate random source, so that worlds in which nothing of this happens are unchanged. */
export function drawAfterAll({ agenda, fateOf, faultPlan }: World, { isPerfect }: Flaws, terminalId: string): AfterAll {
  const fate = fateOf(`what ${terminalId} does after all`);
  const possible = new Set(isPerfect ? [] : Object.keys(likelihood).filter(() => fate.chance(0.7)));
  const late = (act: () => void) => agenda.after(fate.between(35 * HOUR, 42 * HOUR), act);
  return {
    happens(what) {
      const does = possible.has(what) && agenda.now() < FAULTS_END && fate.chance(likelihood[what]);
      if (does) faultPlan.meet(`terminal ${what}`);
      return does;
    },
    isAtOnce: () => fate.chance(0.5),
    refusedVoids: () => fate.pick(0, 2, 4),
    later(act) {
      const soon = fate.between(0, fate.pick(10 * SECOND, 3 * MINUTE, 40 * MINUTE));
      if (fate.chance(0.3)) late(act);
      else agenda.after(soon, act);
    },
    late,
  };
}
