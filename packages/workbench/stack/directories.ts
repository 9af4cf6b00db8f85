import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { stateFolder } from "../../../infra/tools/packed.ts";
import { entries, isRunning, readRunningStack } from "../../../infra/tools/running-stacks.ts";
import type { StackFile } from "./stack-file.ts";

// The folders that stacks write to. Each stack has its own, so several can run at once. The stack on the fixed ports uses `.local/` itself.
// A stack on free ports uses `.local/<its process>/`. The ports are the lock: a stack touches no files before it has them.

/** The folder that the stack of this process writes to. */
export const directoryFor = (ports: "fixed" | "free"): string =>
  ports === "fixed" ? stateFolder : join(stateFolder, String(process.pid));

/** The folder in which `npm start -- --keep` keeps its data, if it names no other one. */
const keptFolder = join(stateFolder, "kept");

/** The folder that keeps the data of this option `--keep`. Undefined without it. */
export const keptIn = (keep: true | string | undefined): string | undefined =>
  keep === true ? keptFolder : keep && resolve(keep);

/** Creates the empty folder of a run's logs. The logs of the previous run are kept next to it; older ones are removed. */
export async function freshLogs(directory: string): Promise<string> {
  const [logs, before] = [join(directory, "logs"), join(directory, "logs.before")];
  await mkdir(logs, { recursive: true });
  await rm(before, { recursive: true, force: true });
  await rename(logs, before);
  await mkdir(logs);
  return logs;
}

/** Removes the folders of stacks on free ports whose processes have ended. */
export async function removeLeftovers(folder = stateFolder): Promise<void> {
  const left = (await entries(folder)).filter((name) => /^\d+$/.test(name) && !isRunning(Number(name)));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** Whether the stack of this stack file uses the fixed ports, so that a later stack writes to the same folder. */
export const isOnFixedPorts = (path: string): boolean => dirname(path) === stateFolder;

/** The running stack, or the stack whose file is named. Throws as `findStackPath` does. */
export const findStack = async (named?: string, folder = stateFolder): Promise<StackFile> =>
  (await readRunningStack(named, folder)) as StackFile;
