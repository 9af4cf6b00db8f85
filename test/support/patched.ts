import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Loader, Plugin } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A change of the product's source. `find` must occur in the file exactly once. */
export interface Patch {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** The patches of a build. `of` names them in messages. */
interface Patching {
  readonly of: string;
  readonly patches: readonly Patch[];
}

/** Bundles the product with its source changed. The build fails if a patch does not fit, or its file is not part of any bundle so far. */
export const patched = (of: string, patches: readonly Patch[]): Plugin => patchedAnew(() => ({ of, patches }));

/** Like `patched`, for a context with differing builds. Each build calls `next` for its patches. */
export function patchedAnew(next: () => Patching): Plugin {
  let of = "";
  let byFile: ReadonlyMap<string, readonly Patch[]> = new Map();
  const met = new Set<string>();
  return {
    name: "patched",
    setup({ onStart, onLoad, onEnd }) {
      onStart(() => {
        const patching = next();
        ({ of } = patching);
        byFile = Map.groupBy(patching.patches, ({ file }) => join(root, file));
      });
      onLoad({ filter: /\.(ts|json)$/ }, async (args) => {
        const own = byFile.get(args.path);
        if (!own) return undefined;
        met.add(args.path);
        let source = await readFile(args.path, "utf8");
        for (const { file, find, replace } of own) {
          const times = source.split(find).length - 1;
          if (times !== 1) throw new Error(`${of}: what it replaces is in ${file} ${times} times`);
          // A function, because a `$` in a replacement text would have a special meaning.
          source = source.replace(find, () => replace);
        }
        return { contents: source, loader: extname(args.path).slice(1) as Loader };
      });
      onEnd(() => {
        for (const [path, [first]] of byFile)
          if (!met.has(path)) throw new Error(`${of}: ${first?.file} is no part of the bundle`);
      });
    },
  };
}
