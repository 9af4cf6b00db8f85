import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";

// One CommonJS bundle, and beside it all that a host needs to start from that folder alone.

const root = new URL("../", import.meta.url);
const dist = new URL("dist/", root);

/** How the bundle is made. */
export const bundle = {
  absWorkingDir: fileURLToPath(root),
  entryPoints: ["functions/app.ts"],
  outfile: "dist/app.cjs",
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  external: ["@azure/functions-core"], // the Functions worker supplies it
  sourcemap: true,
  logLevel: "warning",
} satisfies BuildOptions;

/** Builds the deployable folder `dist/`. */
export async function buildApp(): Promise<void> {
  await mkdir(dist, { recursive: true });
  await build(bundle);
  const { name, version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as Record<string, string>;
  await writeFile(new URL("package.json", dist), `${JSON.stringify({ name, version, main: "app.cjs" }, null, 2)}\n`);
  await copyFile(new URL("host.json", root), new URL("host.json", dist));
}

if (import.meta.main) await buildApp();
