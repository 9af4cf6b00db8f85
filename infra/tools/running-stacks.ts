import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import * as z from "zod";
import { isPacked, projectFolder, stateFolder } from "./packed.ts";
import { typed, typedWith } from "./typed-command.ts";

// Finds the stacks that run on this machine. Each writes a stack file: `stack.json`, or `<its process>/stack.json`, in the folder of state.

/** A path as a user types it: in a clone relative to its folder. */
export const shownPath = (path: string): string => (isPacked ? path : relative(projectFolder, path));

/** The stack files of the stacks that run on this machine. The file that a killed stack left is not included. */
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

export const isStackRunning = async (folder = stateFolder): Promise<boolean> =>
  (await runningStacks(folder)).length > 0;

/**
 * The path of the named stack file, or of the running stack's. Throws a message for the user if no stack runs. Also throws if several run
 * and no file is named, because a guess could use the wrong one.
 */
export async function findStackPath(named?: string, folder = stateFolder): Promise<string> {
  const [found, ...others] = named === undefined ? await runningStacks(folder) : [named];
  if (found === undefined) throw new Error(`No stack is running here: start one with ${typed("start")}.`);
  if (others.length > 0) {
    const all = [found, ...others].map((path) => `  ${typedWith(["--stack", shownPath(path)])}`);
    throw new Error(`Several stacks are running here. Name one:\n${all.join("\n")}`);
  }
  return found;
}

/** Reads the named stack file, or that of the running stack. Throws as `findStackPath` does. */
export async function readRunningStack(named?: string, folder = stateFolder): Promise<unknown> {
  const found = await findStackPath(named, folder);
  try {
    return JSON.parse(await readFile(found, "utf8"));
  } catch (error) {
    throw new Error(`${found} is not a readable stack file.`, { cause: error });
  }
}

export const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function pidIn(path: string): Promise<number | undefined> {
  try {
    return z.object({ pid: z.int() }).parse(JSON.parse(await readFile(path, "utf8"))).pid;
  } catch {
    return undefined; // no stack, or one of an earlier version
  }
}

export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // it runs, under another user
  }
}
