import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type BuildOptions, type Plugin } from "esbuild";
import project from "../../package.json" with { type: "json" };
import { newScript, runScript } from "./script.ts";

// Builds the deployable folder. It has one CommonJS bundle, and one more for each SDK that only some settings need. It also has all other
// files with which a host starts from this folder alone.

const root = new URL("../../", import.meta.url);
/** The deployable folder. */
export const builtApp = fileURLToPath(new URL("dist", root));

/** The oldest Node that the bundle is for. The app refuses an older one. */
const oldestNode = project.engines.node.replace(">=", "");

/** The bundle of each module that is imported only if settings require it. */
const APART: Readonly<Record<string, string>> = {
  "shared/identity/sdk.ts": "identity.cjs",
  "shared/tracing/sdk.ts": "traces.cjs",
};

/** Leaves these SDKs out of the app's own bundle, so that an app without an identity, or without traces, does not load them. */
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
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" }, // bundlers cannot follow its CommonJS form
  sourcemap: true,
  sourcesContent: false, // stacks only name places, and debuggers find the sources next to the bundle
  plugins: [sdksApart],
  logLevel: "warning",
} satisfies BuildOptions;

/**
 * The file that the host starts. Node reads the source map of a file only if maps were enabled before it loads that file, so this file
 * loads the bundle. The maps are deployed, so that a stack in the log names the line of a `.ts` file. They have 3.4 MB, and the zip of the
 * folder has 1.9 MB instead of 1.2 MB.
 */
const entry = `process.setSourceMapsEnabled(true);
require("./app.cjs");
`;

/** The version of package.json and the commit, with `-dirty` if files differ from it. Without git or a clone: the version alone. */
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

/** Writes the other files that a host needs, in addition to the bundles. */
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
