import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type BuildOptions, type Plugin } from "esbuild";
import project from "../../package.json" with { type: "json" };
import { newScript, runScript } from "./script.ts";

// One CommonJS bundle, one more for each SDK that only some settings need, and next to them all files that a host needs to start from this
// folder alone.

const root = new URL("../../", import.meta.url);
/** The deployable folder. */
export const builtApp = fileURLToPath(new URL("dist", root));

/** The oldest Node that the bundle is for. The app refuses an older one. */
const oldestNode = project.engines.node.replace(">=", "");

/** By the module that is imported where settings want it: the file of its bundle. */
const APART: Readonly<Record<string, string>> = {
  "shared/identity/sdk.ts": "identity.cjs",
  "shared/tracing/sdk.ts": "traces.cjs",
};

/** Leaves these SDKs out of the app's own bundle: an app without an identity, or without traces, neither reads nor parses them. */
const sdksApart: Plugin = {
  name: "SDKs apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\/sdk\.ts$/ }, ({ kind, path, resolveDir }) => {
      const file = APART[relative(fileURLToPath(root), join(resolveDir, path)).replaceAll("\\", "/")];
      return kind === "dynamic-import" && file !== undefined ? { path: `./${file}`, external: true } : undefined;
    });
  },
};

/** The bundler's options. */
export const bundle = {
  absWorkingDir: fileURLToPath(root),
  entryPoints: ["functions/app.ts"],
  outfile: "dist/app.cjs",
  bundle: true,
  platform: "node",
  target: `node${oldestNode}`,
  format: "cjs",
  external: ["@azure/functions-core"], // the Functions worker supplies it
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" }, // its CommonJS is a form that no bundler can follow
  sourcemap: true,
  sourcesContent: false, // stacks name places only, and debuggers find the sources beside the bundle
  plugins: [sdksApart],
  logLevel: "warning",
} satisfies BuildOptions;

/**
 * What the host starts. A map is read only of a file that is loaded after maps were enabled, so this file loads the bundle. The maps are
 * deployed (3.4 MB; the folder as a zip has 1.9 MB in place of 1.2): a stack in the log names the line of a `.ts` file.
 */
const entry = `process.setSourceMapsEnabled(true);
require("./app.cjs");
`;

/** The version of package.json and the commit; `-dirty` where files differ from it. Without git, or outside a clone, the version alone. */
export async function ownVersion(): Promise<string> {
  const { version } = project;
  const words = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
  return promisify(execFile)("git", words, { cwd: fileURLToPath(root) }).then(
    ({ stdout }) => `${version}+${stdout.trim()}`,
    () => version,
  );
}

/** The bundler's options for each file of the folder, the app's own first. */
export async function bundlesFor(directory: string, plugins: Plugin[]): Promise<readonly BuildOptions[]> {
  const define = { APP_VERSION: JSON.stringify(await ownVersion()), OLDEST_NODE: JSON.stringify(oldestNode) };
  const options = { ...bundle, define, plugins: [...plugins, ...bundle.plugins] };
  return [
    { ...options, outfile: join(directory, "app.cjs") },
    ...Object.entries(APART).map(([module, file]) => ({
      ...options,
      entryPoints: [module],
      outfile: join(directory, file),
    })),
  ];
}

/** Writes what a host needs beside the bundles. */
export async function writeBeside(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "main.cjs"), entry);
  const { name, version } = project;
  const ownPackage = { name, version, main: "main.cjs" };
  await writeFile(join(directory, "package.json"), `${JSON.stringify(ownPackage, null, 2)}\n`);
  await copyFile(new URL("host.json", root), join(directory, "host.json"));
}

/** Builds the deployable folder, or another one with the same content. Plugins may change the source before it is bundled. */
export async function buildApp(directory = builtApp, plugins: Plugin[] = []): Promise<void> {
  await writeBeside(directory);
  for (const options of await bundlesFor(directory, plugins)) await build(options);
}

export const script = newScript("npm run build --", "Builds the deployable folder, dist.").action(() => buildApp());

if (import.meta.main) await runScript(script);
