import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { patched } from "../../support/patched.ts";
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
    plugins: mutant ? [patched(`mutant "${mutant.name}"`, [mutant])] : [],
  });
  const [script] = outputFiles;
  if (!script) throw new Error("esbuild made nothing");
  return script.text;
}
