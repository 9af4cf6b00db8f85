import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Loader, type Plugin } from "esbuild";
import type { Mutant } from "../mutants.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * The whole simulation with all of the product that it runs, as the source of one CommonJS script: quicker than stripping types
 * in every thread, and the place where a mutant's patch is applied. Throws where a patch does not fit.
 */
export async function bundleSimulation(mutant?: Mutant): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/simulation/running/seed-worker.ts")],
    bundle: true,
    write: false,
    platform: "node",
    target: "node22",
    format: "cjs",
    logLevel: "silent",
    plugins: mutant ? [patched(mutant)] : [],
  });
  const [script] = outputFiles;
  if (!script) throw new Error("esbuild made nothing");
  return script.text;
}

function patched({ name, file, find, replace }: Mutant): Plugin {
  const path = join(root, file);
  let met = false;
  return {
    name: "mutant",
    setup({ onLoad, onEnd }) {
      onLoad({ filter: /\.(ts|json)$/ }, async (args) => {
        if (args.path !== path) return undefined;
        met = true;
        const source = await readFile(path, "utf8");
        const times = source.split(find).length - 1;
        if (times !== 1) throw new Error(`mutant "${name}": what it replaces is in ${file} ${times} times`);
        // A function, since a `$` in the text of a replacement would mean something.
        return { contents: source.replace(find, () => replace), loader: extname(path).slice(1) as Loader };
      });
      onEnd(() => {
        if (!met) throw new Error(`mutant "${name}": ${file} is no part of the simulation`);
      });
    },
  };
}
