import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Chunk, SeedResult } from "./seed-worker.ts";

/** A thread that runs seeds with one bundle. */
export interface SeedThread {
  /** Rejects if the thread itself ends, for example because a mutant makes it run out of memory. */
  live(chunk: Chunk): Promise<readonly SeedResult[]>;
  stop(): Promise<unknown>;
}

/** A world's objects are short-lived. With room for the young ones, a seed takes a tenth less processor time. */
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
