import { execFile } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import * as z from "zod";
import { packageVersion } from "./version.ts";

// `npm run build --workspace clients/partners` writes the files that a package publishes: a module for each of its entries, and their
// types. Node strips no types below `node_modules`, so the modules are JavaScript. Modules that packages share are bundled into each
// package. A private library is published from its `dist`, which is a package with the version of its build.

/** The entries in `package.json`. The file `dist/kit/terminal-kit.js` is written from `kit/terminal-kit.ts`. */
const packageFile = z.object({
  version: z.string(),
  exports: z.looseObject({ ".": z.object({ default: z.string() }).optional() }).default({}),
  bin: z.record(z.string(), z.string()).default({}),
});

/** The members that a published package does not have, or has with another value. */
interface Own {
  readonly private?: boolean;
  readonly scripts?: unknown;
  readonly version: string;
}

const textIn = (folder: string) => readFile(join(folder, "package.json"), "utf8");
const packageIn = async (folder: string) => packageFile.parse(JSON.parse(await textIn(folder)));

/** Bundles each entry's own modules into one file. Dependencies stay imports. */
export async function buildModules(folder: string): Promise<void> {
  const { exports, bin, version } = await packageIn(folder);
  const programs = Object.values(bin);
  const files = [...programs, ...(exports["."] ? [exports["."].default] : [])];
  await build({
    absWorkingDir: folder,
    entryPoints: files.map((file) => file.replace(/^(?:\.\/)?dist\/(.+)\.js$/, "$1.ts")),
    outbase: folder,
    outdir: "dist",
    bundle: true,
    splitting: files.length > 1,
    packages: "external",
    platform: programs.length > 0 ? "node" : "neutral",
    format: "esm",
    target: "es2022",
    define: { PACKAGE_VERSION: JSON.stringify(await packageVersion(version)) },
    logLevel: "warning",
  });
}

/** Writes the types of the modules, if others may import them. TypeScript keeps the file extensions of their imports, so this replaces them. */
async function buildTypes(folder: string): Promise<void> {
  if (!(await packageIn(folder)).exports["."]) return;
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: folder });
  const dist = join(folder, "dist");
  for (const path of await readdir(dist, { recursive: true })) {
    if (!path.endsWith(".d.ts")) continue;
    const text = await readFile(join(dist, path), "utf8");
    await writeFile(join(dist, path), text.replaceAll(/from "(\.[\w./-]+?)(?:\.d)?\.ts"/g, 'from "$1.js"'));
  }
}

/** A link to another file, except the changelog. */
const toFile = /\[([^\]]+)\]\((?!https:|#|CHANGELOG\.md)[^)]+\)/g;

/** Makes the `dist` of a private library a package that can be published. Its README does not link to files that stay here. */
async function buildPublished(folder: string): Promise<void> {
  const fromDist = (await textIn(folder)).replaceAll('"./dist/', '"./');
  const { private: isPrivate, scripts: _, ...own } = JSON.parse(fromDist) as Own;
  if (!isPrivate || !(await packageIn(folder)).exports["."]) return;
  const published = { ...own, version: await packageVersion(own.version) };
  await writeFile(join(folder, "dist/package.json"), `${JSON.stringify(published, null, 2)}\n`);
  const readme = await readFile(join(folder, "README.md"), "utf8");
  await writeFile(join(folder, "dist/README.md"), readme.replaceAll(toFile, "$1"));
  for (const file of ["CHANGELOG.md", "LICENSE"]) await copyFile(join(folder, file), join(folder, "dist", file));
}

/** Builds the `dist` of the package in this folder. Files that are there stay, because other programs may be running them. */
export async function buildPackage(folder: string): Promise<void> {
  await buildModules(folder);
  await buildTypes(folder);
  await buildPublished(folder);
}

if (import.meta.main) {
  await rm(resolve("dist"), { recursive: true, force: true });
  await buildPackage(resolve());
}
