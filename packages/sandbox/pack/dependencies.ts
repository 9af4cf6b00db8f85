import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import * as z from "zod";
import { projectFolder } from "../../../infra/tools/packed.ts";

/** Azurite's script, which is started by its path. */
const STARTED = "node_modules/azurite/dist/src/table/main.js";
/** Only builders import these, or `admin mail-preview`. */
const NOT_NEEDED = ["esbuild", "playwright-core", "@azure/functions-core"];
/** The folder of a package, also below another package. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE = /^(?:licen[cs]e|notice|copying)/i;

const names = z.record(z.string(), z.string()).optional();
const manifest = z.looseObject({
  version: z.string(),
  dependencies: names,
  peerDependencies: names,
  optionalDependencies: names,
  devDependencies: names,
});

/**
 * Copies the packages that these modules import. Each has only the files that may be loaded, its package.json and its licence. Returns the
 * versions of the packages that the root's `node_modules` has.
 */
export async function copyDependencies(
  folder: string,
  modules: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const from = [...modules, join(projectFolder, STARTED)];
  const ignore = NOT_NEEDED.map((name) => `node_modules/${name}/**`);
  const { fileList } = await nodeFileTrace(from, { base: projectFolder, ignore });
  const reached = [...fileList].map((file) => file.replaceAll("\\", "/")).filter((file) => PACKAGE.test(file));
  const packages = [...new Set(reached.map((file) => PACKAGE.exec(file)?.[0] ?? ""))];
  for (const file of reached) await copy(folder, file);
  for (const name of packages) {
    const files = await readdir(join(projectFolder, name));
    for (const file of files.filter((one) => LICENCE.test(one))) await copy(folder, `${name}/${file}`);
    await writeManifest(folder, name, new Set(packages));
  }
  const own = packages
    .filter((name) => name.lastIndexOf("node_modules") === 0)
    .map((name) => name.slice("node_modules/".length));
  return Object.fromEntries(
    await Promise.all(own.toSorted().map(async (name) => [name, await versionOf(name)] as const)),
  );
}

/** The package.json of a package, which names only packages that are copied. npm would fetch the others. */
async function writeManifest(folder: string, name: string, packages: ReadonlySet<string>): Promise<void> {
  const {
    dependencies,
    peerDependencies,
    optionalDependencies,
    devDependencies: _,
    ...rest
  } = manifest.parse(JSON.parse(await readFile(join(projectFolder, name, "package.json"), "utf8")));
  const isCopied = (needed: string) => foldersFor(needed, name).some((one) => packages.has(one));
  const own = Object.entries({ ...peerDependencies, ...optionalDependencies, ...dependencies });
  const written = { ...rest, dependencies: Object.fromEntries(own.filter(([needed]) => isCopied(needed))) };
  await writeFile(join(folder, name, "package.json"), JSON.stringify(written, null, 2));
}

/** The folders in which a package looks for another one, the nearest first. */
function foldersFor(needed: string, name: string): string[] {
  const beside = name.lastIndexOf("/node_modules/");
  const above = beside < 0 ? [`node_modules/${needed}`] : foldersFor(needed, name.slice(0, beside));
  return [`${name}/node_modules/${needed}`, ...above];
}

async function copy(folder: string, file: string): Promise<void> {
  await mkdir(join(folder, dirname(file)), { recursive: true });
  await cp(join(projectFolder, file), join(folder, file), { recursive: true });
}

const versionOf = async (name: string): Promise<string> =>
  manifest.parse(JSON.parse(await readFile(join(projectFolder, "node_modules", name, "package.json"), "utf8"))).version;
