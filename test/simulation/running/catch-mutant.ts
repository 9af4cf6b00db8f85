import type { Mutant } from "../mutants.ts";
import { bundleSimulation } from "./bundle.ts";
import { startSeedThread, type SeedThread } from "./seed-thread.ts";
import type { Chunk } from "./seed-worker.ts";

export type Catch =
  | { readonly caught: true; readonly seed: number; readonly rule: string; readonly detail: string }
  | { readonly caught: false; readonly seeds: number };

/** The number of seeds before and after a recorded seed that are tried. */
export const REACH = 20;

/** All seeds up to the last one, in chunks that end soon after a seed that catches the mutant. */
export function* seedsUpTo(last: number): Generator<Chunk> {
  for (let from = 1; from <= last; from += REACH) yield { from, to: Math.min(last, from + REACH - 1) };
}

/** The seed itself, and then those around it, the nearest first. */
export function* seedsAround(seed: number, reach = REACH): Generator<Chunk> {
  yield { from: seed, to: seed };
  for (let distance = 1; distance <= reach; distance++) {
    yield { from: seed + distance, to: seed + distance };
    if (seed - distance >= 1) yield { from: seed - distance, to: seed - distance };
  }
}

/**
 * Runs seeds with a mutant until it violates a rule in a seed that the unchanged product (`healthy`) passes. A fault of the product itself
 * must not count as a catch.
 */
export async function catchMutant(
  mutant: Mutant,
  healthy: SeedThread,
  chunks: Iterable<Chunk>,
  bundle = bundleSimulation,
): Promise<Catch> {
  const thread = startSeedThread(await bundle(mutant));
  let seeds = 0;
  try {
    for (const chunk of chunks) {
      const results = await thread.live(chunk);
      for (const { seed, violations } of results) {
        const [first] = violations;
        if (!first) continue;
        const [same] = await healthy.live({ from: seed, to: seed });
        if (same?.violations.length === 0) return { caught: true, seed, ...first };
      }
      seeds += results.length;
    }
    return { caught: false, seeds };
  } finally {
    await thread.stop();
  }
}
