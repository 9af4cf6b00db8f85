import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";
import project from "../../package.json" with { type: "json" };
import { builtApp } from "./built-app.ts";
import { newScript, runScript } from "./script.ts";
import { ownVersion } from "./version.ts";

// Builds the deployable folder. It has one CommonJS bundle, and one more for each part that only some instances need. It also has all other
// files with which a host starts from this folder alone.

const root = new URL("../../", import.meta.url);
/** The oldest Node that the bundle is for. The app refuses an older one. */
const oldestNode = project.engines.node.replace(">=", "");

/** The bundle of each module that is imported only if settings require it, or when it is first used. */
const APART: Readonly<Record<string, string>> = {
  "shared/adapters/identity/sdk.ts": "identity.cjs",
  "shared/adapters/mails/smtp-sender.ts": "mails.cjs",
  "shared/adapters/tracing/sdk.ts": "traces.cjs",
};

/** Leaves these modules out of the app's own bundle, so that an instance without identity, traces or mails does not load them. */
const modulesApart: Plugin = {
  name: "modules apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\// }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const file = APART[relative(fileURLToPath(root), join(resolveDir, path)).replaceAll("\\", "/")];
      return file === undefined ? undefined : { path: `./${file}`, external: true };
    });
  },
};

/** The part of undici that the app uses. */
const UNDICI = `export { default as Agent } from "undici/lib/dispatcher/agent.js";`;

/** Replaces undici's index, which also brings fetch, WebSockets, caches and mocks. The build fails if the app imports another part. */
const slimUndici: Plugin = {
  name: "slim undici",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "slim-undici" }));
    onLoad({ filter: /^/, namespace: "slim-undici" }, () => ({ contents: UNDICI, resolveDir: fileURLToPath(root) }));
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
  alias: {
    "jsonc-parser": "jsonc-parser/lib/esm/main.js", // bundlers cannot follow its CommonJS form
    "@azure/service-bus": "@azure/service-bus/dist-esm/src/index.js", // its CommonJS form brings the SDK's core a second time
  },
  sourcemap: true,
  sourcesContent: false, // stacks only name places, and debuggers find the sources next to the bundle
  plugins: [modulesApart, slimUndici],
  logLevel: "warning",
} satisfies BuildOptions;

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
  await copyFile(new URL("main.cjs", import.meta.url), join(directory, "main.cjs"));
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
