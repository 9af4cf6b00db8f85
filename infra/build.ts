import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// One CommonJS bundle, and beside it all that a host needs to start from that folder alone.

const root = new URL("../", import.meta.url);
const dist = new URL("dist/", root);

/** Builds the deployable folder `dist/`. */
export async function buildApp(): Promise<void> {
  await mkdir(dist, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL("functions/app.ts", root))],
    outfile: fileURLToPath(new URL("app.cjs", dist)),
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    external: ["@azure/functions-core"], // the Functions worker supplies it
    sourcemap: true,
    logLevel: "warning",
  });
  const { name, version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as Record<string, string>;
  await writeFile(new URL("package.json", dist), `${JSON.stringify({ name, version, main: "app.cjs" }, null, 2)}\n`);
  await copyFile(new URL("host.json", root), new URL("host.json", dist));
}

if (import.meta.main) await buildApp();
