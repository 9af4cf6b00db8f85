import { glob } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readEntryPoint } from "./host-settings.ts";

/** Imports the app's files, so that it registers its functions. Throws a message that names the file that failed. */
export async function loadApp(directory: string): Promise<void> {
  const pattern = await readEntryPoint(directory);
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: directory })) files.push(file);
  if (files.length === 0)
    throw new Error(`${directory} holds no file "${pattern}", which "main" of its package.json names`);
  for (const file of files.toSorted()) {
    try {
      await import(pathToFileURL(join(directory, file)).href);
    } catch (error) {
      throw new Error(`${join(directory, file)} cannot be loaded`, { cause: error });
    }
  }
}
