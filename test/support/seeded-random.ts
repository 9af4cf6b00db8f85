/** Reproducible random numbers: the same seed gives the same numbers. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  chance(probability: number): boolean;
  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number;
  /** Any number from `low` up to `high`. */
  realBetween(low: number, high: number): number;
  pick<T>(first: T, ...others: readonly T[]): T;
}

/** Mulberry32, which is small, fast and random enough for tests. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    between: (low, high) => Math.floor(low + next() * (high - low + 1)),
    realBetween: (low, high) => low + next() * (high - low),
    pick: (first, ...others) => {
      const chosen = Math.floor(next() * (others.length + 1));
      return others[chosen - 1] ?? first;
    },
  };
}
