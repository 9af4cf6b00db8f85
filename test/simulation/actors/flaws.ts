import { FAULTS_END } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** The flaws that terminals may have, and the probability of each on each occasion. */
const likelihood = {
  "charges a second card": 0.4,
  "charges a second card under the same authorisation": 0.1,
  "charges a card after the end": 0.4,
  "reports a charge again with other details": 0.4,
  "names a charge twice": 0.15,
  "leaves out the authorisation": 0.4,
  "charges another amount": 0.25,
  "charges another currency": 0.2,
  "captures less": 0.25,
  "captures without a request": 0.2,
  "refunds without a request": 0.2,
  "refunds another amount": 0.4,
  "refunds another currency": 0.2,
  "reports a charge only by its capture": 0.5,
  "reports an action long afterwards": 0.2,
  "reports for ever that it runs": 0.1,
  "fails to void for a while": 0.5,
  "loses its memory": 0.5,
} as const;
export type Flaw = keyof typeof likelihood;

export interface Flaws {
  /** Whether all terminals of this world are perfect. Then no alert may ever be raised. */
  readonly isPerfect: boolean;
  /** Whether the flaw occurs on this occasion. After the end of the faults none does. */
  happens(flaw: Flaw): boolean;
}

/**
 * Draws the flaws. In two of three worlds terminals are perfect, so that the rules can be strict; in the others about half of the flaws
 * occur.
 */
export function drawFlaws({ agenda, random, faultPlan }: World): Flaws {
  const isPerfect = !random.chance(1 / 3);
  const flaws = new Set<string>(isPerfect ? [] : Object.keys(likelihood).filter(() => random.chance(0.5)));
  return {
    isPerfect,
    happens(flaw) {
      const does = flaws.has(flaw) && agenda.now() < FAULTS_END && random.chance(likelihood[flaw]);
      if (does) faultPlan.meet(`terminal ${flaw}`);
      return does;
    },
  };
}
