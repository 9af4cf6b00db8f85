import { startSeedThread } from "./seed-thread.ts";
import { add, emptyTally, type Tally } from "./tally.ts";

const CHUNK = 100;

/** Lives through the seeds from 1 to `seeds` on so many threads. */
export async function runSeeds(script: string, { seeds, jobs }: { seeds: number; jobs: number }): Promise<Tally> {
  const tally = emptyTally();
  let next = 1;
  async function work(): Promise<void> {
    const thread = startSeedThread(script);
    try {
      while (next <= seeds) {
        const from = next;
        next += CHUNK;
        for (const result of await thread.live({ from, to: Math.min(seeds, from + CHUNK - 1) })) add(tally, result);
      }
    } finally {
      await thread.stop();
    }
  }
  await Promise.all(Array.from({ length: jobs }, work));
  return tally;
}
