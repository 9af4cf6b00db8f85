import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import * as z from "zod";
import { typedWith } from "./typed-command.ts";

// Finds the stacks that run on this machine. Each writes a stack file, `.local/stack.json` or `.local/<its process>/stack.json`.

/** This clone's folder. */
export const projectFolder = resolve(import.meta.dirname, "../..");
/** The folder of all stacks. */
export const stacksFolder = join(projectFolder, ".local");

/** A path relative to the project's folder, as a user types it. */
export const shownPath = (path: string): string => relative(projectFolder, path);

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

export const isStackRunning = async (folder = stacksFolder): Promise<boolean> =>
  (await runningStacks(folder)).length > 0;

/**
 * The path of the named stack file, or of the running stack's. Throws a message for the user if no stack runs. Also throws if several run
 * and no file is named, because a guess could use the wrong one.
 */
export async function findStackPath(named?: string, folder = stacksFolder): Promise<string> {
  const [found, ...others] = named === undefined ? await runningStacks(folder) : [named];
  if (found === undefined) throw new Error("No stack is running here: start one with npm start.");
  if (others.length > 0) {
    const all = [found, ...others].map((path) => `  ${typedWith(["--stack", shownPath(path)])}`);
    throw new Error(`Several stacks are running here. Name one:\n${all.join("\n")}`);
  }
  return found;
}

/** Reads the named stack file, or that of the running stack. Throws as `findStackPath` does. */
export async function readRunningStack(named?: string, folder = stacksFolder): Promise<unknown> {
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
