import { readdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";

/**
 * Calls `note` with the path of each file that is written, created or replaced in the folders or their subfolders. Each folder has its own
 * watcher. On Linux, Node's recursive watcher loses a file that is replaced by a rename, and many editors save by a rename. Returns a
 * function that ends the watching.
 */
export function watchFolders(folders: readonly string[], note: (path: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const leave = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const begin = (folder: string): void => {
    if (watchers.has(folder)) return;
    const watcher = watch(folder, (_, name) => {
      lookFor(folder); // there may be a new folder, or this one is gone
      if (name !== null) note(join(folder, name));
    });
    watcher.on("error", () => leave(folder)); // it was removed
    watchers.set(folder, watcher);
  };
  const lookFor = (folder: string): void => {
    const found = foldersIn(folder);
    if (found === undefined) return leave(folder);
    begin(folder);
    found.forEach(lookFor);
  };
  folders.forEach(lookFor);
  return () => [...watchers.keys()].forEach(leave);
}

/** The folders in a folder. Undefined if it does not exist. */
function foldersIn(folder: string): readonly string[] | undefined {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    return undefined;
  }
}
