import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../../infra/tools/build.ts";
import { defineBench, positive, scaleGroups, whole } from "./bench.ts";
import { onStack } from "./bench-stack.ts";
import { withFleet } from "./fleet.ts";
import { cpuBetween, usageOf } from "./processes.ts";
import { percentile, round } from "./statistics.ts";

const MB = 1024 * 1024;
const MINUTE = 60;

/** Runs the work while the stack's first host logs the delays of its event loop. `delays` returns the delays since its last call. */
async function withDelays<T>(
  work: (settings: Readonly<Record<string, string>>, delays: () => Promise<readonly number[]>) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "bench-delays-"));
  const file = join(directory, "delays");
  let read = 0;
  const delays = async () => {
    const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
    const since = lines.slice(read).map(Number);
    read = lines.length;
    return since;
  };
  try {
    await writeFile(file, "");
    const preload = `--import=${new URL("event-loop-delay.ts", import.meta.url).href}`;
    return await work({ NODE_OPTIONS: preload, EVENT_LOOP_DELAY_FILE: file }, delays);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Payments over a long time. */
export const soak = defineBench({
  means: "payments for half an hour: payments/s, times, the webhooks' lag, and memory of each process, by the minute",
  options: {
    minutes: positive(30, "minutes"),
    terminals: whole(16, "terminals that pay at once, each in turn"),
    every: whole(0, "milliseconds from a terminal's payment to its next; 0: at once"),
    "scale-groups": scaleGroups,
  },
  async run({ minutes, terminals, every, "scale-groups": scaleGroups }, progress) {
    await buildApp();
    const results = await withDelays((settings, delays) =>
      onStack({ settings: (host) => (host === 0 ? settings : {}), scaleGroups }, (stack) =>
        withFleet(stack, terminals, (fleet) =>
          fleet.whilePolling(terminals, async () => {
            const results = [];
            await delays();
            for (let left = minutes * MINUTE; left > 0; left -= MINUTE) {
              const [before, refused] = [await usageOf(stack), fleet.unavailable()];
              const { samples, seconds } = await fleet.payFor(terminals, Math.min(left, MINUTE), every);
              const after = await usageOf(stack);
              const longest = await delays();
              const requests = samples.map(({ requestMs }) => requestMs);
              const lags = samples.flatMap(({ lagsMs }) => lagsMs);
              results.push({
                minute: results.length + 1,
                isWhole: left >= MINUTE,
                payments: samples.length,
                unavailable: fleet.unavailable() - refused,
                paymentsPerSecond: samples.length / seconds,
                requestMs: { p50: percentile(requests, 50), p95: percentile(requests, 95) },
                lagMs: { p50: percentile(lags, 50), p95: percentile(lags, 95) },
                delayMs: { p50: percentile(longest, 50), max: Math.max(...longest) },
                memoryBytes: Object.fromEntries(
                  Object.entries(after).map(([part, usage]) => [part, usage.memoryBytes]),
                ),
                cpuMs: cpuBetween(before, after),
              });
              progress(`minute ${results.length}: ${(samples.length / seconds).toFixed(1)} payments/s`);
            }
            return results;
          }),
        ),
      ),
    );
    const parts = Object.keys(results[0]?.memoryBytes ?? {});
    const [first, last] = [results[0], results.findLast(({ isWhole }) => isWhole)];
    const share = first && last ? last.paymentsPerSecond / first.paymentsPerSecond : Number.NaN;
    return {
      tables: [
        {
          title: `${terminals} terminals; milliseconds, and memory in MB by process`,
          columns: [
            "minute",
            "payments",
            "answered 503",
            "payments/s",
            "request p50",
            "p95",
            "lag p50",
            "p95",
            "event loop's delay p50",
            "max",
            ...parts,
          ],
          rows: results.map(
            ({ minute, payments, unavailable, paymentsPerSecond, requestMs, lagMs, delayMs, memoryBytes }) => [
              minute,
              payments,
              unavailable,
              round(paymentsPerSecond),
              round(requestMs.p50),
              round(requestMs.p95),
              round(lagMs.p50),
              round(lagMs.p95),
              round(delayMs.p50),
              round(delayMs.max),
              ...parts.map((part) => round((memoryBytes[part] ?? 0) / MB)),
            ],
          ),
        },
        {
          title: "CPU milliseconds a payment, by process",
          columns: ["minute", ...parts],
          rows: results.map(({ minute, payments, cpuMs }) => [
            minute,
            ...parts.map((part) => round((cpuMs[part] ?? 0) / payments)),
          ]),
        },
      ],
      remarks: [
        "The event loop's delay is the longest of each second in the host of the requests: the median second's, and the worst one's.",
        `The last whole minute had ${share.toFixed(2)} times the first one's payments/s.`,
      ],
      figures: { terminals, lastBesideFirst: share, minutes: results },
    };
  },
});
