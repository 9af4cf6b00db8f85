import type { Mutant } from "../mutants.ts";
import { bundleSimulation } from "./bundle.ts";
import { catchMutant, type Catch } from "./catch-mutant.ts";
import { startSeedThread } from "./seed-thread.ts";

/** Tries to catch each of the mutants within so many seeds, on so many threads; `ended` gets each result as it comes. */
export async function runMutants(
  mutants: readonly Mutant[],
  seeds: number,
  jobs: number,
  ended: (mutant: Mutant, result: Catch) => void,
): Promise<void> {
  const script = await bundleSimulation();
  const waiting = [...mutants];
  async function work(): Promise<void> {
    const healthy = startSeedThread(script);
    try {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        ended(mutant, await catchMutant(mutant, healthy, seeds));
      }
    } finally {
      await healthy.stop();
    }
  }
  await Promise.all(Array.from({ length: jobs }, work));
}
