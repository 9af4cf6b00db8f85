import { parentPort } from "node:worker_threads";
import { simulate, type Simulated } from "../simulate.ts";

/** Seeds for one thread: from the first to the last of them. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
  readonly traced?: boolean;
  /** The platform is restored from an export in each of them. */
  readonly restored?: boolean;
}
export interface SeedResult extends Simulated {
  readonly seed: number;
  /** The lines of the trace, where it was requested. */
  readonly trace: readonly string[];
}

parentPort?.on("message", (chunk: Chunk) => void live(chunk));

async function live({ from, to, traced = false, restored: isRestored = false }: Chunk): Promise<void> {
  const results: SeedResult[] = [];
  for (let seed = from; seed <= to; seed++) {
    const trace: string[] = [];
    const simulated = await simulate(seed, { write: traced ? (line) => void trace.push(line) : undefined, isRestored });
    results.push({ seed, trace, ...simulated });
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(results);
}
