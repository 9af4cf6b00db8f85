import type { Mutant } from "../mutants.ts";
import { newBundler } from "./bundle.ts";
import { catchMutant, type Catch } from "./catch-mutant.ts";
import { startSeedThread } from "./seed-thread.ts";
import type { Chunk } from "./seed-worker.ts";

/** A mutant, and the seeds to run with it. */
interface Hunt {
  readonly mutant: Mutant;
  readonly chunks: Iterable<Chunk>;
}

/** Runs each of the mutants in its seeds, on this many threads. `ended` gets each result when it is known. */
export async function runMutants<Given extends Hunt>(
  hunts: readonly Given[],
  jobs: number,
  ended: (hunt: Given, result: Catch) => void,
): Promise<void> {
  const waiting = [...hunts];
  async function work(): Promise<void> {
    const { bundle, end } = await newBundler();
    const healthy = startSeedThread(await bundle());
    try {
      for (let hunt = waiting.shift(); hunt; hunt = waiting.shift()) {
        ended(hunt, await catchMutant(hunt.mutant, healthy, hunt.chunks, bundle));
      }
    } finally {
      await Promise.all([healthy.stop(), end()]);
    }
  }
  await Promise.all(Array.from({ length: jobs }, work));
}
