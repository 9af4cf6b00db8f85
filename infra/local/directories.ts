import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { StackFile } from "./stack-file.ts";

// The folders that stacks write to, so that several run side by side. The only one on the fixed ports uses `.local/` itself; one on free
// ports uses `.local/<its process>/`. The ports are the lock: a stack touches no files before it has them.

const root = fileURLToPath(new URL("../../", import.meta.url));
const local = join(root, ".local");

/** The folder that the stack of this process writes to. */
export const directoryFor = (ports: "fixed" | "free"): string =>
  ports === "fixed" ? local : join(local, String(process.pid));

/** The folder in which `npm start -- --keep` keeps its data, for the stack on the fixed ports. */
export const keptFolder = join(local, "kept");

/** A path relative to the project's folder, as a user types it. */
export const shownPath = (path: string): string => relative(root, path);

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
export async function removeLeftovers(folder = local): Promise<void> {
  const left = (await entries(folder)).filter((name) => /^\d+$/.test(name) && !isRunning(Number(name)));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** The stack files of the stacks that run on this machine. A stack that was killed left its file, which is not included. */
async function runningStacks(folder: string): Promise<string[]> {
  const folders = [
    folder,
    ...(await entries(folder)).filter((name) => /^\d+$/.test(name)).map((name) => join(folder, name)),
  ];
  const files = folders.map((directory) => join(directory, "stack.json"));
  const running = await Promise.all(files.map(runsAt));
  return files.filter((_, i) => running[i]);
}

/** Whether the stack of this stack file runs. */
export const runsAt = async (path: string): Promise<boolean> => isRunning((await pidIn(path)) ?? NaN);

export const isStackRunning = async (folder = local): Promise<boolean> => (await runningStacks(folder)).length > 0;

/**
 * The stack file of the running stack, or the one that is named. Throws a message for the user where there is none, or where several run and
 * none is named, because a guess could use the wrong one.
 */
export async function findStackPath(named?: string, folder = local): Promise<string> {
  const [found, ...others] = named === undefined ? await runningStacks(folder) : [named];
  if (found === undefined) throw new Error("No stack is running here: start one with npm start.");
  if (others.length > 0) {
    const all = [found, ...others].map((path) => `  --stack ${shownPath(path)}`);
    throw new Error(`Several stacks are running here. Name one:\n${all.join("\n")}`);
  }
  return found;
}

/** The running stack, or the one whose stack file is named. Throws as `findStackPath` does. */
export async function findStack(named?: string, folder = local): Promise<StackFile> {
  const found = await findStackPath(named, folder);
  try {
    return JSON.parse(await readFile(found, "utf8")) as StackFile;
  } catch (error) {
    throw new Error(`${found} is no stack file that can be read.`, { cause: error });
  }
}

/** Whether a later stack writes to the same folder as the one of this stack file. */
export const isOnFixedPorts = (path: string): boolean => dirname(path) === local;

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function pidIn(path: string): Promise<number | undefined> {
  try {
    return z.object({ pid: z.int() }).parse(JSON.parse(await readFile(path, "utf8"))).pid;
  } catch {
    return undefined; // no stack, or one of an earlier version
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // it runs, under another user
  }
}
