/** How many messages of a queue an instance processes at a time (`maxConcurrentCalls` in `host.json`). */
export const WEBHOOK_PERMITS = 16;

/** The most concurrent attempts of one partner to one origin, in an instance. */
const OF_AN_ORIGIN = 3;
/** The most concurrent attempts of one partner to all origins, in an instance. */
const OF_A_PARTNER = 6;
/**
 * How long a partner's origin is suspect after an attempt timed out, in milliseconds. A running attempt that takes longer than `LONG_MS`
 * also makes it suspect.
 */
const SUSPECT_MS = 30_000;
const LONG_MS = 2_000;
/** How long an attempt may wait for a permit, in milliseconds. A server that responds frees one sooner. */
const WAIT_MS = 500;

export interface Attempting {
  readonly partnerId: string;
  readonly origin: string;
}

const keyOf = ({ partnerId, origin }: Attempting): string => `${partnerId} ${origin}`;

/** The right to make one attempt. */
export interface Permit {
  end(timedOut: boolean): void;
}

export interface Bulkhead {
  /**
   * Resolves when the attempt may be made. Undefined if it must be postponed: the origin does not respond, or too many attempts wait
   * already.
   */
  take(attempting: Attempting): Promise<Permit | undefined>;
}

/** An attempt that waits for a permit. */
interface Waiting {
  readonly attempting: Attempting;
  readonly end: (permit: Permit | undefined) => void;
}

/**
 * A bulkhead between the attempts of one instance. A server that hangs delays only the webhooks of the partner that named it. If two
 * partners name the same host, each has its own permits there, and its origin is suspected separately.
 *
 * - Origins that do not respond share half of the permits.
 * - While half of the permits are taken, a partner has at most one running attempt to an origin. If many origins begin to hang at the same
 *   moment, permits remain for the others.
 * - An attempt to a server that responds waits briefly for its turn. The number of waiting attempts is limited to half of the permits,
 *   because each occupies a call of the host.
 *
 * @param total how many attempts the host takes from a queue at a time, in an instance
 * @param now milliseconds of a monotonic clock
 */
export function webhookBulkhead({ total, now }: { readonly total: number; readonly now: () => number }): Bulkhead {
  const underWay = new Set<Attempting & { readonly since: number }>();
  const waiting = new Set<Waiting>(); // the longest wait first
  const timedOutAt = new Map<string, number>();
  const count = (counts: (attempting: Attempting) => boolean) => [...underWay].filter(counts).length;

  function suspects(): ReadonlySet<string> {
    for (const [key, at] of timedOutAt) if (now() - at > SUSPECT_MS) timedOutAt.delete(key);
    const long = [...underWay].flatMap((one) => (now() - one.since > LONG_MS ? [keyOf(one)] : []));
    return new Set([...timedOutAt.keys(), ...long]);
  }

  function takeNow(attempting: Attempting): Permit | undefined {
    const key = keyOf(attempting);
    const own = count((other) => keyOf(other) === key);
    if (own >= OF_AN_ORIGIN || (own > 0 && underWay.size >= total / 2)) return undefined;
    if (count((other) => other.partnerId === attempting.partnerId) >= OF_A_PARTNER) return undefined;
    const suspect = suspects();
    if (suspect.has(key) && count((other) => suspect.has(keyOf(other))) >= total / 2) return undefined;
    const taken = { ...attempting, since: now() };
    underWay.add(taken);
    return {
      end(timedOut) {
        underWay.delete(taken);
        if (timedOut) timedOutAt.set(key, now());
        else timedOutAt.delete(key);
        for (const one of waiting) {
          const permit = takeNow(one.attempting);
          if (permit) one.end(permit);
        }
      },
    };
  }

  return {
    async take(attempting) {
      const permit = takeNow(attempting);
      if (permit || waiting.size >= total / 2 || suspects().has(keyOf(attempting))) return permit;
      return new Promise((resolve) => {
        const timer = setTimeout(() => one.end(undefined), WAIT_MS);
        const one: Waiting = {
          attempting,
          end(permit) {
            clearTimeout(timer);
            waiting.delete(one);
            resolve(permit);
          },
        };
        waiting.add(one);
      });
    },
  };
}
