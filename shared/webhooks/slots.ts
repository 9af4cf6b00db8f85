/** So many attempts are under way to one origin, in an instance. */
const OF_AN_ORIGIN = 3;
/** So many to all origins of one partner. */
const OF_A_PARTNER = 6;
/** An origin is suspect for so long after an attempt timed out, and while one is under way for longer than an answer takes. */
const SUSPECT_MS = 30_000;
const LONG_MS = 2_000;

export interface Attempting {
  readonly partnerId: string;
  readonly origin: string;
}

/** The right to make one attempt. */
export interface Slot {
  end(timedOut: boolean): void;
}

export interface Slots {
  /** Undefined where the attempt has to wait: others of its origin or partner are under way, or too many origins do not answer. */
  take(attempting: Attempting): Slot | undefined;
}

/**
 * Keeps the attempts of one instance apart, so that a partner's server that hangs holds up its own webhooks and nobody else's. Origins
 * that do not answer share half of what there is; and while half is taken, an origin has one attempt under way, so that many that
 * begin to hang at the same moment leave slots to the others.
 *
 * @param total how many attempts the host takes from a queue at a time, in an instance
 * @param now milliseconds of a clock that only rises
 */
export function webhookSlots({ total, now }: { readonly total: number; readonly now: () => number }): Slots {
  const underWay = new Set<Attempting & { readonly since: number }>();
  const timedOutAt = new Map<string, number>();
  const count = (counts: (attempting: Attempting) => boolean) => [...underWay].filter(counts).length;

  function suspects(): ReadonlySet<string> {
    for (const [origin, at] of timedOutAt) if (now() - at > SUSPECT_MS) timedOutAt.delete(origin);
    const long = [...underWay].flatMap(({ origin, since }) => (now() - since > LONG_MS ? [origin] : []));
    return new Set([...timedOutAt.keys(), ...long]);
  }

  return {
    take({ partnerId, origin }) {
      const own = count((other) => other.origin === origin);
      if (own >= OF_AN_ORIGIN || (own > 0 && underWay.size >= total / 2)) return undefined;
      if (count((other) => other.partnerId === partnerId) >= OF_A_PARTNER) return undefined;
      const suspect = suspects();
      if (suspect.has(origin) && count((other) => suspect.has(other.origin)) >= total / 2) return undefined;
      const taken = { partnerId, origin, since: now() };
      underWay.add(taken);
      return {
        end(timedOut) {
          underWay.delete(taken);
          if (timedOut) timedOutAt.set(origin, now());
          else timedOutAt.delete(origin);
        },
      };
    },
  };
}
