import type { Mutant } from "../mutants.ts";
import { bundleSimulation } from "./bundle.ts";
import { startSeedThread, type SeedThread } from "./seed-thread.ts";

export type Catch =
  | { readonly caught: true; readonly seed: number; readonly by: string }
  | { readonly caught: false; readonly seeds: number };

const CHUNK = 20;

/**
 * Lives with a mutant until some rule is broken in a seed that the unchanged product (`healthy`) passes: a fault of the product
 * itself must not count as a catch.
 */
export async function catchMutant(mutant: Mutant, healthy: SeedThread, seeds: number): Promise<Catch> {
  const thread = startSeedThread(await bundleSimulation(mutant));
  try {
    for (let from = 1; from <= seeds; from += CHUNK) {
      const chunk = { from, to: Math.min(seeds, from + CHUNK - 1) };
      for (const { seed, violations } of await thread.live(chunk)) {
        const [first] = violations;
        if (!first) continue;
        const [same] = await healthy.live({ from: seed, to: seed });
        if (same?.violations.length === 0) return { caught: true, seed, by: `${first.rule}: ${first.detail}` };
      }
    }
    return { caught: false, seeds };
  } catch (error) {
    return { caught: true, seed: 0, by: `the simulation broke down: ${String(error)}` };
  } finally {
    await thread.stop();
  }
}
