import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

// `npm run build --workspace clients/partners` writes what the package publishes: one module, and its types. Each client has what it shares
// with the others in its own package.

/** A client's folder, by its name beside this one. */
export const clientFolder = (client: string): string => fileURLToPath(new URL(`../${client}`, import.meta.url));

/** Bundles the package's own modules into one; its dependencies stay imports. */
export async function buildModule(folder: string): Promise<void> {
  await build({
    absWorkingDir: folder,
    entryPoints: ["index.ts"],
    outfile: "dist/index.js",
    bundle: true,
    packages: "external",
    platform: "neutral",
    format: "esm",
    target: "es2022",
    logLevel: "warning",
  });
}

/** Writes the types beside the module. TypeScript leaves the endings of their imports as they are, so they are written anew. */
async function buildTypes(folder: string): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: folder });
  const dist = join(folder, "dist");
  for (const path of await readdir(dist, { recursive: true })) {
    if (!path.endsWith(".d.ts")) continue;
    const text = await readFile(join(dist, path), "utf8");
    await writeFile(join(dist, path), text.replaceAll(/from "(\.[\w./-]+?)(?:\.d)?\.ts"/g, 'from "$1.js"'));
  }
}

if (import.meta.main) {
  const folder = resolve();
  await rm(join(folder, "dist"), { recursive: true, force: true });
  await buildModule(folder);
  await buildTypes(folder);
}
