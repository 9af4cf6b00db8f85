import { startSeedThread } from "./seed-thread.ts";
import { add, emptyTally, type Tally } from "./tally.ts";

const CHUNK = 100;

/** Runs this many seeds, starting at `from`, on this many threads. */
export async function runSeeds(
  script: string,
  {
    from: first = 1,
    seeds,
    jobs,
    restored = false,
    days,
  }: {
    readonly from?: number;
    readonly seeds: number;
    readonly jobs: number;
    readonly restored?: boolean;
    readonly days?: number | undefined;
  },
): Promise<Tally> {
  const last = first + seeds - 1;
  const tally = emptyTally();
  let next = first;
  async function work(): Promise<void> {
    const thread = startSeedThread(script);
    try {
      while (next <= last) {
        const from = next;
        next += CHUNK;
        for (const result of await thread.live({ from, to: Math.min(last, from + CHUNK - 1), restored, days }))
          add(tally, result);
      }
    } finally {
      await thread.stop();
    }
  }
  await Promise.all(Array.from({ length: jobs }, work));
  return tally;
}
