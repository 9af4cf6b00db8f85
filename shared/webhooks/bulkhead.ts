/** The most attempts under way to one origin, in an instance. */
const OF_AN_ORIGIN = 3;
/** The most attempts under way to all origins of one partner, in an instance. */
const OF_A_PARTNER = 6;
/** How long an origin is suspect after an attempt timed out, and after how long an attempt under way makes it suspect. */
const SUSPECT_MS = 30_000;
const LONG_MS = 2_000;

export interface Attempting {
  readonly partnerId: string;
  readonly origin: string;
}

/** The right to make one attempt. */
export interface Permit {
  end(timedOut: boolean): void;
}

export interface Bulkhead {
  /** Undefined where the attempt has to wait, because others of its origin or partner are under way, or too many origins do not respond. */
  take(attempting: Attempting): Permit | undefined;
}

/**
 * A bulkhead: separates the attempts of one instance, so that a partner's server that hangs delays only its own webhooks. Origins that do not respond
 * share half of the permits. While half of the permits are taken, an origin has one attempt under way, so that many origins that begin to hang
 * at the same moment leave permits to the others.
 *
 * @param total how many attempts the host takes from a queue at a time, in an instance
 * @param now milliseconds of a monotonic clock
 */
export function webhookBulkhead({ total, now }: { readonly total: number; readonly now: () => number }): Bulkhead {
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
