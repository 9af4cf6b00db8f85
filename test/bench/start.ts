import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildApp } from "../../infra/tools/build.ts";
import { builtApp } from "../../infra/tools/built-app.ts";
import { partnerOn } from "../support/partner.ts";
import { defineBench, whole } from "./bench.ts";
import { onStack } from "./bench-stack.ts";
import { usageOf } from "./processes.ts";
import { percentile, round } from "./statistics.ts";

const MB = 1024 * 1024;

interface Load {
  readonly ms: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** Loads the bundle in a new process. */
async function loadOnce(): Promise<Load> {
  const script = fileURLToPath(new URL("load-bundle.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, join(builtApp, "main.cjs")]);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Load;
}

/** The cold start of a host. */
export const start = defineBench({
  means: "the cold start: a load of the bundle alone, and a functions host until it has answered its first request",
  options: { rounds: whole(10, "starts of each kind") },
  async run({ rounds }) {
    await buildApp();
    const loads: Load[] = [];
    for (let round = 0; round < rounds; round++) loads.push(await loadOnce());
    // A new machine has no compile cache.
    const settings = { NODE_DISABLE_COMPILE_CACHE: "1" };
    const starts = await onStack({ settings }, async (stack) => {
      const partner = partnerOn(stack.file, stack.file.demo);
      const status = `/pointOfServices/${stack.file.demo.terminals.silent.pointOfServiceID}/pos-status`;
      const starts = [];
      for (let round = 0; round < rounds; round++) {
        await stack.killFunctions();
        const began = performance.now();
        await stack.startFunctions();
        const listening = performance.now();
        const { functions } = await usageOf(stack);
        const answer = await partner.send("GET", status);
        const answered = performance.now();
        if (answer.status !== 200) throw new Error(`the first request was answered ${answer.status}`);
        starts.push({
          listeningMs: listening - began,
          answeredMs: answered - began,
          cpuMs: functions?.cpuMs ?? 0,
          memoryBytes: functions?.memoryBytes ?? 0,
        });
      }
      return starts;
    });
    const row = (what: string, values: readonly number[]) => [
      what,
      ...[0, 50, 100].map((percent) => round(percentile(values, percent))),
    ];
    return {
      tables: [
        {
          title: `${rounds} starts of each kind`,
          columns: ["", "least", "p50", "most"],
          rows: [
            row(
              "load of the bundle, ms",
              loads.map(({ ms }) => ms),
            ),
            row(
              "its CPU, ms",
              loads.map(({ cpuMs }) => cpuMs),
            ),
            row(
              "memory after it, MB",
              loads.map(({ memoryBytes }) => memoryBytes / MB),
            ),
            row(
              "host until it listens, ms",
              starts.map(({ listeningMs }) => listeningMs),
            ),
            row(
              "host until its first answer, ms",
              starts.map(({ answeredMs }) => answeredMs),
            ),
            row(
              "CPU until it listens, ms",
              starts.map(({ cpuMs }) => cpuMs),
            ),
            row(
              "memory when it listens, MB",
              starts.map(({ memoryBytes }) => memoryBytes / MB),
            ),
          ],
        },
      ],
      figures: { rounds, loads, starts },
    };
  },
});
