import { readFile } from "node:fs/promises";
import type { Stack } from "../../infra/stack/stack.ts";

/** The length of `/proc`'s clock tick, which is the same on every Linux that Node runs on. */
const TICK_MS = 10;

/** The CPU time that a process has used so far, and its current memory. */
export interface Usage {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}
/** Usage by the name of the part. */
export type UsageByPart = Readonly<Record<string, Usage>>;

/** CPU time of a process from its line in `/proc/<pid>/stat`, user and system, in milliseconds. Its name may hold spaces and parentheses. */
function cpuMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (!Number.isSafeInteger(ticks)) throw new Error(`no times of a process: ${stat}`);
  return ticks * TICK_MS;
}

/** Resident memory of a process from `/proc/<pid>/status`, in bytes. */
function memoryOf(status: string): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error("no memory of a process");
  return Number(kilobytes) * 1024;
}

/** The usage of a stack's parts. Linux only: throws if there is no `/proc`. */
export async function usageOf(stack: Pick<Stack, "pidOf">, hosts = 1): Promise<UsageByPart> {
  const parts = ["functions", ...(hosts > 1 ? ["functions-2", "front end"] : []), "gateway", "service bus", "tables"];
  const usages = parts.map(async (part): Promise<readonly [string, Usage]> => {
    const pid = stack.pidOf(part);
    const [stat, status] = await Promise.all(
      ["stat", "status"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8")),
    );
    return [part, { cpuMs: cpuMsOf(stat ?? ""), memoryBytes: memoryOf(status ?? "") }];
  });
  return Object.fromEntries(await Promise.all(usages));
}

/** CPU milliseconds of each part between two measurements. */
export const cpuBetween = (before: UsageByPart, after: UsageByPart): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(after).map(([part, { cpuMs }]) => [part, cpuMs - (before[part]?.cpuMs ?? 0)]));
