import { execFile } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

// `npm run build --workspace clients/partners` writes what the package publishes: one module, and its types.

const folder = fileURLToPath(new URL(".", import.meta.url));
const dist = join(folder, "dist");

/** Bundles the package's own modules into one; its dependencies stay imports. */
export async function buildModule(): Promise<void> {
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
export async function buildTypes(): Promise<void> {
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: folder });
  await copyFile(join(folder, "schema.d.ts"), join(dist, "schema.d.ts"));
  for (const file of await readdir(dist)) {
    if (!file.endsWith(".d.ts")) continue;
    const text = await readFile(join(dist, file), "utf8");
    await writeFile(join(dist, file), text.replaceAll(/from "(\.\/[\w-]+)(?:\.d)?\.ts"/g, 'from "$1.js"'));
  }
}

if (import.meta.main) {
  await rm(dist, { recursive: true, force: true });
  await buildModule();
  await buildTypes();
}
