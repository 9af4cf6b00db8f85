import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type BuildOptions, type Plugin } from "esbuild";

// One CommonJS bundle, a second one for the SDK of traces, and next to them all files that a host needs to start from this folder alone.

const root = new URL("../", import.meta.url);
/** The deployable folder. */
export const builtApp = fileURLToPath(new URL("dist", root));

const TRACES = "traces.cjs";

/** Leaves the SDK of traces out of the app's own bundle: an app without traces neither reads nor parses it. */
const tracesApart: Plugin = {
  name: "traces apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\/sdk\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: `./${TRACES}`, external: true } : undefined,
    );
  },
};

/** The bundler's options. */
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
  sourcesContent: false, // stacks name places only, and debuggers find the sources beside the bundle
  plugins: [tracesApart],
  logLevel: "warning",
} satisfies BuildOptions;

/** What the host starts. A map is read only of a file that is loaded after maps were enabled, so this file loads the bundle. */
const entry = `process.setSourceMapsEnabled(true);
require("./app.cjs");
`;

/** The version of package.json and the commit; `-dirty` where files differ from it. Without git, or outside a clone, the version alone. */
async function versionOf(version: string): Promise<string> {
  const words = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
  return promisify(execFile)("git", words, { cwd: fileURLToPath(root) }).then(
    ({ stdout }) => `${version}+${stdout.trim()}`,
    () => version,
  );
}

/** Builds the deployable folder, or another one with the same content. Plugins may change the source before it is bundled. */
export async function buildApp(directory = builtApp, plugins: Plugin[] = []): Promise<void> {
  await mkdir(directory, { recursive: true });
  const { name, version = "" } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as Record<
    string,
    string
  >;
  const define = { APP_VERSION: JSON.stringify(await versionOf(version)) };
  const options = { ...bundle, define, plugins: [...plugins, ...bundle.plugins] };
  await build({ ...options, outfile: join(directory, "app.cjs") });
  await build({ ...options, entryPoints: ["shared/tracing/sdk.ts"], outfile: join(directory, TRACES) });
  await writeFile(join(directory, "main.cjs"), entry);
  await writeFile(join(directory, "package.json"), `${JSON.stringify({ name, version, main: "main.cjs" }, null, 2)}\n`);
  await copyFile(new URL("host.json", root), join(directory, "host.json"));
}

if (import.meta.main) await buildApp();
