import { FAULTS_END } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** What a terminal may do that it should not, and how likely it does at each occasion, where it does it at all. */
const likelihood = {
  "charges a second card": 0.4,
  "charges a second card under the same authorisation": 0.1,
  "charges a card after the end": 0.4,
  "tells a charge again with other details": 0.4,
  "names a charge twice": 0.15,
  "leaves out the authorisation": 0.4,
  "charges another amount": 0.25,
  "charges another currency": 0.2,
  "captures less": 0.25,
  "captures unasked": 0.2,
  "refunds unasked": 0.2,
  "refunds another amount": 0.4,
  "refunds another currency": 0.2,
  "tells a charge only by its capture": 0.5,
  "tells long after what it did": 0.2,
  "says for ever that it runs": 0.1,
  "fails to void for a while": 0.5,
  "loses its memory": 0.5,
} as const;
export type Flaw = keyof typeof likelihood;

export interface Flaws {
  /** No terminal of this world does any of it: then no operator may ever be called. */
  readonly isPerfect: boolean;
  /** Whether it happens at this occasion; never when all is calm. */
  happens(flaw: Flaw): boolean;
}

/** Two worlds of three have perfect terminals, so that the rules stay sharp; in the others about half of the flaws happen. */
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
