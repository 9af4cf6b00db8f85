import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import project from "../../package.json" with { type: "json" };
import { noCsharpClient, writeCsharpClient } from "../../infra/documents/openapi/csharp-client.ts";
import { buildApp } from "../../infra/tools/build.ts";
import { projectFolder, SANDBOX } from "../../infra/tools/packed.ts";
import { newScript, runScript } from "../../infra/tools/script.ts";
import { packageVersion } from "../../infra/tools/version.ts";
import { bundlePage } from "../workbench/live/bundle-page.ts";
import { copyDependencies } from "./pack/dependencies.ts";
import { packed } from "./pack/npm.ts";
import { packClients } from "./pack/clients.ts";
import { adaptPages } from "./pack/pages.ts";

// `npm run sandbox` writes the local cloud as one npm package, with everything that it needs but Node. The package has the folders of this
// repository, so that each module finds its files where it always does. TypeScript's compiler writes the modules as JavaScript, because
// Node strips no types below `node_modules`.

const BIN = "packages/sandbox/bin.js";

/** Files and folders that are in the package as they are here. */
const copied = [
  "LICENSE",
  "clients/consumer/README.md",
  "clients/partners/README.md",
  "dist",
  "docs",
  "examples",
  "infra/azure/apim",
  "infra/azure/service-bus",
  "infra/tools/fallback-node.js",
  "infra/tools/node-version.js",
  BIN,
];

interface Programs {
  readonly files: readonly string[];
}

/** Writes the package into the folder, and returns the path of its file. `say` gets what it leaves out. */
export async function pack(out: string, say: (sentence: string) => void): Promise<string> {
  await mkdir(join(projectFolder, ".local"), { recursive: true });
  const folder = await mkdtemp(join(projectFolder, ".local", "sandbox-")); // below this folder, so that its modules find their packages
  try {
    await buildApp();
    await writeModules(folder);
    for (const path of copied)
      await cp(join(projectFolder, path), join(folder, path), { recursive: true, filter: isOurs });
    await cp(join(projectFolder, "packages/sandbox/README.md"), join(folder, "README.md"));
    for (const page of ["live", "reference"]) await writePage(folder, `packages/workbench/${page}/page/`);
    await adaptPages(folder);
    await packClients(join(folder, "clients"));
    const withoutCsharp = await noCsharpClient();
    if (withoutCsharp === undefined) await writeCsharpClient(join(folder, "examples/csharp/Partners.cs"));
    else say(`Without Partners.cs: ${withoutCsharp}.`);
    const modules = (await programs()).map((file) => join(folder, file));
    await writeManifest(folder, await copyDependencies(folder, modules));
    return await packed(folder, resolve(out));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isOurs = (path: string): boolean =>
  !/[\\/](?:node_modules|pictures|bin|obj|out|__pycache__)(?:[\\/]|$)/.test(path.slice(projectFolder.length));

/** The modules of the programs with all that they import, as JavaScript. */
async function writeModules(folder: string): Promise<void> {
  const compiler = join(projectFolder, "node_modules/typescript/bin/tsc");
  const options = ["-p", join(projectFolder, "packages/sandbox"), "--outDir", folder];
  await promisify(execFile)(process.execPath, [compiler, ...options]);
}

/** The modules that are started: those of tsconfig.json. */
async function programs(): Promise<readonly string[]> {
  const { files } = JSON.parse(await readFile(new URL("tsconfig.json", import.meta.url), "utf8")) as Programs;
  return files.map((file) => join("packages/sandbox", file.replace(/\.ts$/, ".js")));
}

/** The page's files, in the folder where the program looks for them. */
async function writePage(folder: string, page: string): Promise<void> {
  await mkdir(join(folder, page), { recursive: true });
  const files = await bundlePage(new URL(`../../${page}`, import.meta.url));
  for (const [path, [, body]] of files) await writeFile(join(folder, page, path === "/" ? "index.html" : path), body);
}

/** The package's own package.json. Each package in it is its own copy, so that npm fetches none. */
async function writeManifest(folder: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  const { version, license, engines } = project;
  const manifest = {
    name: SANDBOX,
    version: await packageVersion(version),
    description:
      "A payment platform on your machine: the Partners API, terminals that play by themselves, and a page that shows it all.",
    license,
    type: "module",
    bin: { [SANDBOX]: BIN },
    engines,
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

export const script = newScript("npm run sandbox --", "Writes the local cloud as one npm package.", [
  "npm run sandbox -- --out ~/packages",
])
  .option("--out <folder>", "the folder of the package", ".")
  .action(async ({ out }: { readonly out: string }) => {
    const file = await pack(out, console.log);
    const { size } = await stat(file);
    console.log(`${file} (${(size / 1e6).toFixed(1)} MB)`);
  });

if (import.meta.main) await runScript(script);
