import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Chunk, SeedResult } from "./seed-worker.ts";

/** A thread that runs seeds with one bundle. */
export interface SeedThread {
  /** Rejects where the thread itself ends, as by the lack of memory that a mutant may cause. */
  live(chunk: Chunk): Promise<readonly SeedResult[]>;
  stop(): Promise<unknown>;
}

/** A world's objects live shortly: where the young ones have room, a seed takes a tenth less of the processor. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

export function startSeedThread(script: string): SeedThread {
  const worker = new Worker(script, { eval: true, resourceLimits });
  return {
    async live(chunk) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(chunk);
      // `once` rejects on the thread's `error`.
      const [results] = (await once(worker, "message")) as [readonly SeedResult[]];
      return results;
    },
    stop: () => worker.terminate(),
  };
}
