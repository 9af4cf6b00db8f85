/** Counts calls by key, each key with a token bucket, as the v2 tiers of API Management do. */
export interface RateCounters {
  /** Takes one of the key's `calls` tokens, if one is left. Tokens come back evenly over `windowMs`. */
  take(key: string, calls: number, windowMs: number): Taken;
  /** The answer of `take`, without taking a token. */
  look(key: string, calls: number, windowMs: number): Taken;
}

/** The whole tokens that are left. If there was no token, the milliseconds until the next one. */
export type Taken = { readonly remaining: number } | { readonly waitMs: number };

interface Bucket {
  /**
   * In parts of a token. A token has `windowMs` parts, and each millisecond gives `calls` parts back. So whole milliseconds give whole
   * numbers.
   */
  spent: number;
  at: number;
  /** The time at which the bucket is full again. */
  fullAt: number;
}

const TIDY_ABOVE = 10_000;

/** Buckets in memory, full at first. `now` returns milliseconds. A rejected call takes no token. */
export function rateCounters(now: () => number): RateCounters {
  const buckets = new Map<string, Bucket>();
  const answer = (key: string, calls: number, windowMs: number, keep?: (bucket: Bucket) => void): Taken => {
    const at = now();
    const { spent: before, at: since } = buckets.get(key) ?? { spent: 0, at };
    const spent = Math.max(0, before - (at - since) * calls) + windowMs;
    const over = spent - calls * windowMs;
    if (over > 0) return { waitMs: over / calls };
    keep?.({ spent, at, fullAt: at + spent / calls });
    return { remaining: Math.floor((calls * windowMs - spent) / windowMs) };
  };
  return {
    take(key, ...limit) {
      if (buckets.size > TIDY_ABOVE) forgetFull(buckets, now());
      return answer(key, ...limit, (bucket) => void buckets.set(key, bucket));
    },
    look: (key, ...limit) => answer(key, ...limit),
  };
}

function forgetFull(buckets: Map<string, Bucket>, at: number): void {
  for (const [key, { fullAt }] of buckets) if (fullAt <= at) buckets.delete(key);
}
