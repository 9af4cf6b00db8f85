import { constants, type Stats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../../tools/script.ts";
import { parsedOnboarding, type OnboardingOfCloud } from "./onboarding-text.ts";

// The file is the only place of the secrets. Only its owner may read it, and it is on the disk before anything is stored.

/** The rights of others than the file's owner. Windows has none of them. */
const OTHERS = process.platform === "win32" ? 0 : 0o077;

/** Reads the onboarding in this file. Undefined if there is no such file. Throws `UsageError` if it is another file, or if others may read it. */
export async function readOnboarding(file: string): Promise<OnboardingOfCloud | undefined> {
  const opened = await openIfThere(file);
  if (!opened) return undefined;
  try {
    refuseForeign(file, await opened.stat());
    return parsedOnboarding(await opened.readFile("utf8"), file);
  } finally {
    await opened.close();
  }
}

/** `O_NONBLOCK`, because a pipe would wait for its writer. */
async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function refuseForeign(file: string, stats: Stats): void {
  if (!stats.isFile()) throw new UsageError(`${file} is not a file: name another with --out.`);
  if ((stats.mode & OTHERS) !== 0)
    throw new UsageError(
      `Other users may read ${file}. If none has read it, run chmod 600 on it, and repeat the command.`,
    );
}

/** Writes a new file that only its owner may read, and returns once it is on the disk. Fails if there is a file of this name. */
export async function writeOnboarding(file: string, text: string): Promise<void> {
  const created = await open(file, "wx", 0o600);
  try {
    await created.writeFile(text);
    await created.sync();
  } finally {
    await created.close();
  }
  await syncFolder(dirname(file));
}

/** Without it, the name of a new file may be lost in a power cut. Windows cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const opened = await open(folder, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
