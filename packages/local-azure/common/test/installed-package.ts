import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A package as others have it: its tarball, unpacked into the `node_modules` of an empty folder. */
export interface InstalledPackage {
  readonly folder: string;
  readonly tarball: string;
  /** The package within the folder. */
  readonly target: string;
  /** The programs of the package, by their names. */
  readonly bin: Readonly<Record<string, string>>;
}

/**
 * Packs the package of this folder and installs it into a new one, which the caller removes. Its dependencies, and the named packages, are
 * linked: this repository has them installed, so no network is needed.
 */
export async function installedPackage(source: string, linked: readonly string[] = []): Promise<InstalledPackage> {
  const {
    name,
    version,
    dependencies = {},
    bin = {},
  } = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly bin?: Readonly<Record<string, string>>;
  };
  const folder = await realpath(await mkdtemp(join(tmpdir(), `${name}-`)));
  const env = { ...process.env, npm_config_pack_destination: folder };
  await run("npm", ["pack", "--silent"], { cwd: source, env, shell: process.platform === "win32" }); // npm is a script there
  const packed = `${name}-${version}.tgz`;
  const target = join(folder, "node_modules", name);
  await mkdir(target, { recursive: true });
  await run("tar", ["-xzf", packed, "-C", target, "--strip-components=1"], { cwd: folder });
  for (const dependency of new Set([...Object.keys(dependencies), ...linked]))
    await linkPackage(dependency, folder, source);
  return { folder, tarball: join(folder, packed), target, bin };
}

/** Links a package that `from` has installed into a folder. */
export async function linkPackage(name: string, folder: string, from: string): Promise<void> {
  const link = join(folder, "node_modules", name);
  await mkdir(dirname(link), { recursive: true });
  await symlink(packageFolder(name, from), link, "junction");
}

/** The folder of a package that `from` has installed. Throws if there is none. */
export function packageFolder(name: string, from: string): string {
  const paths = createRequire(join(from, "package.json")).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find(existsSync);
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}
