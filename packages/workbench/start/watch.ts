import { fileURLToPath } from "node:url";
import type { AppBuilder } from "./app-builder.ts";
import { watchFolders } from "./watched-folders.ts";

const folders = ["functions", "shared"].map((name) => fileURLToPath(new URL(`../../../${name}`, import.meta.url)));

/** Changes within this time are one. Editors write a file in several steps, and "save all" writes several files. */
const QUIET_MS = 25;

interface Watching {
  readonly builder: Pick<AppBuilder, "build">;
  /** Replaces the running app by the built one. Rejects if the new app does not start. Then the running one continues. */
  readonly reload: () => Promise<void>;
  readonly say: (sentence: string) => void;
}

/**
 * Builds and reloads the app whenever a source file in `functions/` or `shared/` is saved. If it cannot be built, or does not start, the
 * old app continues. Returns a function that ends the watching.
 */
export function watchApp(watching: Watching): () => void {
  const changes = newChanges((change) => reloadOnce(watching, change), watching.say);
  const unwatch = watchFolders(folders, (path) => {
    if (/\.(?:ts|json)$/.test(path)) changes.note(path);
  });
  return () => {
    changes.end();
    unwatch();
  };
}

async function reloadOnce({ builder, reload, say }: Watching, { since, files }: Change): Promise<void> {
  try {
    await builder.build(files);
  } catch {
    return say("The build failed, see above. The previous app continues."); // the bundler printed why
  }
  try {
    await reload();
    say(`Reloaded in ${Math.round(performance.now() - since)} ms.`);
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\nThe previous app continues.`);
  }
}

/** Files that were saved together. */
export interface Change {
  /** The moment of the first save. */
  readonly since: number;
  readonly files: ReadonlySet<string>;
}

/** Calls `act` after changes, one call at a time. Changes during a call lead to another call. */
export function newChanges(act: (change: Change) => Promise<void>, fail: (sentence: string) => void) {
  let next: { readonly since: number; readonly files: Set<string> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isActing = false;
  const run = async () => {
    if (isActing || next === undefined) return;
    const change = next;
    next = undefined;
    isActing = true;
    await act(change).catch((error: unknown) => fail(String(error)));
    isActing = false;
    await run();
  };
  return {
    note(file: string): void {
      next ??= { since: performance.now(), files: new Set() };
      next.files.add(file);
      clearTimeout(timer);
      timer = setTimeout(() => void run(), QUIET_MS);
    },
    end(): void {
      clearTimeout(timer);
      next = undefined;
    },
  };
}
