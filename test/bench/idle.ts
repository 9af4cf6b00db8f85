import { setTimeout as sleep } from "node:timers/promises";
import { tableNames } from "../../shared/stores/table-names.ts";
import { buildApp } from "../../infra/tools/build.ts";
import { defineBench, whole } from "./bench.ts";
import { onStack } from "./bench-stack.ts";
import { startCountingProxy } from "./counting-proxy.ts";
import { withFleet } from "./fleet.ts";
import { cpuBetween, usageOf } from "./processes.ts";
import { round } from "./statistics.ts";

const MB = 1024 * 1024;

/** The cost of terminals that only wait. */
export const idle = defineBench({
  means: "idle terminals on long polls: table calls a second, CPU and memory",
  options: {
    terminals: whole(200, "terminals"),
    settle: whole(20, "seconds before the measurement, within which the polls begin"),
    seconds: whole(60, "seconds of the measurement; a poll lasts 55"),
  },
  async run({ terminals, settle, seconds }, progress) {
    await buildApp();
    const proxies: Awaited<ReturnType<typeof startCountingProxy>>[] = [];
    try {
      const between = async <Real extends { readonly tables: number }>(real: Real) => {
        const proxy = await startCountingProxy(real.tables);
        proxies.push(proxy);
        return { ...real, tables: proxy.port };
      };
      const callsSoFar = () => ({
        bells: proxies.reduce((sum, proxy) => sum + proxy.requestsOf(tableNames.bells), 0),
        all: proxies.reduce((sum, proxy) => sum + proxy.requests(), 0),
      });
      const found = await onStack({ between }, (stack) =>
        withFleet(stack, terminals, (fleet) => {
          progress(`${terminals} terminals are seeded`);
          const measured = async () => {
            await sleep(settle * 1_000);
            const [began, before, callsBefore] = [performance.now(), await usageOf(stack), callsSoFar()];
            await sleep(seconds * 1_000);
            const took = (performance.now() - began) / 1_000;
            const after = await usageOf(stack);
            const callsAfter = callsSoFar();
            const bellReadsPerSecond = (callsAfter.bells - callsBefore.bells) / took;
            const callsPerSecond = (callsAfter.all - callsBefore.all) / took - bellReadsPerSecond;
            const cpuMs = cpuBetween(before, after);
            const parts = Object.entries(after).map(([part, { memoryBytes }]) => ({
              part,
              cpuMsPerSecond: (cpuMs[part] ?? 0) / took,
              memoryBytes,
            }));
            return {
              callsPerSecond,
              callsPerSecondAndTerminal: callsPerSecond / terminals,
              bellReadsPerSecond,
              parts,
            };
          };
          return fleet.whilePolling(terminals, measured, settle);
        }),
      );
      return {
        tables: [
          {
            title: `${terminals} idle terminals: ${found.callsPerSecond.toFixed(1)} table calls/s, ${found.callsPerSecondAndTerminal.toFixed(2)} a terminal; beside them ${found.bellReadsPerSecond.toFixed(1)} reads of the bells`,
            columns: ["process", "CPU ms/s", "memory MB"],
            rows: found.parts.map(({ part, cpuMsPerSecond, memoryBytes }) => [
              part,
              round(cpuMsPerSecond),
              round(memoryBytes / MB),
            ]),
          },
        ],
        figures: { terminals, seconds, ...found },
      };
    } finally {
      await Promise.all(proxies.map((proxy) => proxy.close()));
    }
  },
});
