import { setImmediate } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { simulate, type Simulated } from "../simulate.ts";

/** Seeds for one thread, from the first to the last. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
  readonly traced?: boolean;
  /** Whether the platform is restored from an export in each of them. */
  readonly restored?: boolean;
  /** The length of each world, instead of the length that its seed draws. */
  readonly days?: number | undefined;
}
export interface SeedResult extends Simulated {
  readonly seed: number;
  /** The lines of the trace, if it was requested. */
  readonly trace: readonly string[];
}

/** Errors that nothing caught in this seed's world. Such an error would end a process of the platform. */
const uncaught: unknown[] = [];
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (reason: unknown) => void uncaught.push(reason));

parentPort?.on("message", (chunk: Chunk) => void live(chunk));

async function live({ from, to, traced = false, restored: isRestored = false, days }: Chunk): Promise<void> {
  const results: SeedResult[] = [];
  for (let seed = from; seed <= to; seed++) {
    const trace: string[] = [];
    const write = traced ? (line: string) => void trace.push(line) : undefined;
    results.push({ seed, trace, ...(await livedThrough(seed, { write, isRestored, days })) });
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(results);
}

/** Runs a seed's world. An uncaught error is a violation in it, so that the seed is known and the other seeds still run. */
async function livedThrough(...given: Parameters<typeof simulate>): Promise<Simulated> {
  let simulated: Simulated = {
    violations: [],
    endings: {},
    alerts: {},
    excuses: {},
    situations: [],
    leftovers: 0,
    faults: {},
  };
  try {
    simulated = await simulate(...given);
  } catch (error) {
    uncaught.push(error);
  }
  await setImmediate(); // rejections are reported once no promise is left to settle
  const violations = uncaught.splice(0).map((reason) => ({
    rule: "nothing caught an error",
    detail: String(reason instanceof Error ? reason.stack : reason),
  }));
  return { ...simulated, violations: [...simulated.violations, ...violations] };
}
