/** The longest wait of the simulated terminal. Rules T2 and T3 allow 10 s. */
const LONGEST_MS = 2_000;

/**
 * The waits between attempts, in milliseconds: at random up to a limit that doubles, so that terminals that failed together do not retry
 * together. (T2, T3)
 *
 * @param random from 0 to below 1
 */
export function newBackoff(firstMs: number, random: () => number) {
  let limit = firstMs;
  return {
    next(): number {
      const wait = random() * limit;
      limit = Math.min(LONGEST_MS, limit * 2);
      return wait;
    },
    /** The next attempt after a success. */
    reset(): void {
      limit = firstMs;
    },
  };
}
export type Backoff = ReturnType<typeof newBackoff>;
