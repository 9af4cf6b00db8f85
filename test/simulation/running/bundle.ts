import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { context } from "esbuild";
import { bundle } from "../../../infra/tools/build.ts";
import { patchedAnew } from "../../support/patched.ts";
import type { Mutant } from "../mutants.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Bundles the simulation repeatedly. The parts that all bundles share are parsed once. */
interface Bundler {
  /**
   * The whole simulation with the product code that it runs, as the source of one CommonJS script. This is faster than stripping types in
   * every thread, and a mutant's patch is applied here. Throws if a patch does not apply. One bundle is made at a time.
   */
  bundle(mutant?: Mutant): Promise<string>;
  end(): Promise<void>;
}

/** Creates a bundler. The caller must `end` it. */
export async function newBundler(): Promise<Bundler> {
  let mutant: Mutant | undefined;
  const bundler = await context({
    entryPoints: [join(root, "test/simulation/running/seed-worker.ts")],
    bundle: true,
    alias: bundle.alias,
    write: false,
    platform: "node",
    target: "node22",
    format: "cjs",
    logLevel: "silent",
    plugins: [patchedAnew(() => ({ of: `mutant "${mutant?.name}"`, patches: mutant ? [mutant] : [] }))],
  });
  return {
    async bundle(next) {
      mutant = next;
      const { outputFiles } = await bundler.rebuild();
      const [script] = outputFiles;
      if (!script) throw new Error("esbuild made nothing");
      return script.text;
    },
    end: () => bundler.dispose(),
  };
}

/** Makes one bundle, of a mutant or of the unchanged product. */
export async function bundleSimulation(mutant?: Mutant): Promise<string> {
  const bundler = await newBundler();
  try {
    return await bundler.bundle(mutant);
  } finally {
    await bundler.end();
  }
}
