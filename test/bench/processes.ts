import { readFile } from "node:fs/promises";
import type { Stack } from "../../packages/workbench/stack/stack.ts";

/** The length of `/proc`'s clock tick, which is the same on every Linux that Node runs on. */
const TICK_MS = 10;

/** The CPU time that a process has used so far, and its current memory. */
export interface Usage {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}
/** Usage by the name of the part. */
export type UsageByPart = Readonly<Record<string, Usage>>;

/** The measured parts of a stack beside its hosts. */
const OTHERS = ["gateway", "service bus", "tables"];

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

/** The usage of a process. */
async function usageOfProcess(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all(["stat", "status"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8")));
  return { cpuMs: cpuMsOf(stat ?? ""), memoryBytes: memoryOf(status ?? "") };
}

/** The usage of a stack's parts. The app's hosts together are `functions`. Linux only: throws if there is no `/proc`. */
export async function usageOf({ hostParts, pidOf }: Pick<Stack, "hostParts" | "pidOf">): Promise<UsageByPart> {
  const processes = { functions: hostParts, ...Object.fromEntries(OTHERS.map((part) => [part, [part]])) };
  const usages = Object.entries(processes).map(async ([name, parts]): Promise<readonly [string, Usage]> => {
    const all = await Promise.all(parts.map((part) => usageOfProcess(pidOf(part))));
    const sum = (of: keyof Usage) => all.reduce((total, usage) => total + usage[of], 0);
    return [name, { cpuMs: sum("cpuMs"), memoryBytes: sum("memoryBytes") }];
  });
  return Object.fromEntries(await Promise.all(usages));
}

/** CPU milliseconds of each part between two measurements. */
export const cpuBetween = (before: UsageByPart, after: UsageByPart): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(after).map(([part, { cpuMs }]) => [part, cpuMs - (before[part]?.cpuMs ?? 0)]));
