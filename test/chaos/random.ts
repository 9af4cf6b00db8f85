/** Reproducible chance (mulberry32): the same seed plans the same faults, though processes race each run anew. */
export function seeded(seed: number) {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (p: number) => next() < p,
    between: (a: number, b: number) => a + next() * (b - a),
    pick<T>(first: T, ...others: readonly T[]): T {
      return [first, ...others][Math.floor(next() * (others.length + 1))] ?? first;
    },
  };
}
export type Random = ReturnType<typeof seeded>;
