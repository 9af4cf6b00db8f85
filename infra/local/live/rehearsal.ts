import { readFile, stat } from "node:fs/promises";
import type { RehearsalView } from "./views/rehearsal.ts";

/** When the page of the last rehearsal was written; without a time where there is none. */
export async function lookAtRehearsal(file: string): Promise<RehearsalView> {
  const found = await unlessAbsent(stat(file));
  return found ? { at: found.mtimeMs } : {};
}

/** The page of the last rehearsal; undefined where there is none. */
export const rehearsalHtml = (file: string): Promise<string | undefined> => unlessAbsent(readFile(file, "utf8"));

async function unlessAbsent<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
