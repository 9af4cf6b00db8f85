import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { patched } from "../../support/patched.ts";
import type { Mutant } from "../mutants.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * The whole simulation with the product code that it runs, as the source of one CommonJS script. This is faster than stripping types in
 * every thread, and it is where a mutant's patch is applied. Throws where a patch does not apply.
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
    plugins: mutant ? [patched(`mutant "${mutant.name}"`, [mutant])] : [],
  });
  const [script] = outputFiles;
  if (!script) throw new Error("esbuild made nothing");
  return script.text;
}
