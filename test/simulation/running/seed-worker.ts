import { setImmediate } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { simulate, type Simulated } from "../simulate.ts";

/** Seeds for one thread: from the first to the last of them. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
  readonly traced?: boolean;
  /** The platform is restored from an export in each of them. */
  readonly restored?: boolean;
  /** How long each of them lasts, if not as its seed has it. */
  readonly days?: number | undefined;
}
export interface SeedResult extends Simulated {
  readonly seed: number;
  /** The lines of the trace, where it was requested. */
  readonly trace: readonly string[];
}

/** What nothing caught in this seed's world. A process of the platform would end by it. */
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

/** A seed's world. An error that nothing caught is a violation of it, so that the seed is known and the others are lived through. */
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
  await setImmediate(); // rejections are reported once no promise is left to be settled
  const violations = uncaught.splice(0).map((reason) => ({
    rule: "nothing caught an error",
    detail: String(reason instanceof Error ? reason.stack : reason),
  }));
  return { ...simulated, violations: [...simulated.violations, ...violations] };
}
