import type { Random } from "../../support/seeded-random.ts";
import { MINUTE, USUAL_LENGTH } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** How the partners of a world use the header `Idempotency-Key`. */
export interface Keys {
  /** The key of a partner's next sale. Undefined if its payment requests have none. Two partners use the same keys. */
  ofSale(partnerId: string): string | undefined;
  /** The key of a capture, a cancel or a response. Undefined for one without a key. */
  ofChange(): string | undefined;
  /** Milliseconds after which a change is requested once more under its key. Undefined if it is not. */
  repeatedAfter(): number | undefined;
  /** A key as one request writes it. A UUID may be in capitals. */
  written(key: string | undefined): string | undefined;
  /** Whether callers make new sessions in their retries. */
  readonly areNaive: boolean;
  readonly fate: Random;
}

/**
 * Draws from a separate random source, so that worlds without keys are unchanged. Most long worlds have keys, so that a purge has some, and
 * most worlds that are restored.
 */
export function drawKeys({ fateOf, end }: World, isRestored: boolean): Keys {
  const fate = fateOf("idempotency");
  const areUsed = fate.chance(end > USUAL_LENGTH ? 0.9 : isRestored ? 0.75 : 0.45);
  const haveSales = areUsed && fate.chance(0.9);
  const haveChanges = areUsed && fate.chance(0.5);
  const areNaive = haveSales && fate.chance(0.8);
  const areUuids = fate.chance(0.3);
  const sales = new Map<string, number>();
  let changes = 0;
  return {
    ofSale(partnerId) {
      if (!haveSales) return undefined;
      const number = (sales.get(partnerId) ?? 0) + 1;
      sales.set(partnerId, number);
      return areUuids ? `cccccccc-0000-4000-8000-0000000000${String(number).padStart(2, "0")}` : `sale ${number}`;
    },
    ofChange: () => (haveChanges && fate.chance(0.7) ? `change ${++changes}` : undefined),
    repeatedAfter: () => (fate.chance(0.4) ? fate.between(0, fate.pick(50, 200, MINUTE, 10 * MINUTE)) : undefined),
    written: (key) => (areUuids && fate.chance(0.4) ? key?.toUpperCase() : key),
    areNaive,
    fate,
  };
}
