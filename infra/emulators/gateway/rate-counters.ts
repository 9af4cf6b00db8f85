/** Counts calls by key, each in a bucket of tokens, as the v2 tiers of API Management do. */
export interface RateCounters {
  /** Takes one of the key's `calls` tokens, which come back evenly over `windowMs`, if there is one. */
  take(key: string, calls: number, windowMs: number): Taken;
}

/** Whole tokens that are left; or, if there was none, the milliseconds until the next one. */
export type Taken = { readonly remaining: number } | { readonly waitMs: number };

interface Bucket {
  /** In parts of a token: a token costs `windowMs`, and a millisecond gives `calls` back. So whole milliseconds make whole numbers. */
  spent: number;
  at: number;
  /** When it is full again. */
  fullAt: number;
}

const TIDY_ABOVE = 10_000;

/** Buckets in memory, full at first. `now` is in milliseconds. A refused call takes no token. */
export function rateCounters(now: () => number): RateCounters {
  const buckets = new Map<string, Bucket>();
  return {
    take(key, calls, windowMs) {
      const at = now();
      if (buckets.size > TIDY_ABOVE) forgetFull(buckets, at);
      const { spent: before, at: since } = buckets.get(key) ?? { spent: 0, at };
      const spent = Math.max(0, before - (at - since) * calls) + windowMs;
      const over = spent - calls * windowMs;
      if (over > 0) return { waitMs: over / calls };
      buckets.set(key, { spent, at, fullAt: at + spent / calls });
      return { remaining: Math.floor((calls * windowMs - spent) / windowMs) };
    },
  };
}

function forgetFull(buckets: Map<string, Bucket>, at: number): void {
  for (const [key, { fullAt }] of buckets) if (fullAt <= at) buckets.delete(key);
}
