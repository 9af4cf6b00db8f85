import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { projectFolder } from "../../../infra/tools/packed.ts";
import { packed } from "./npm.ts";

const clients = ["partners", "consumer"];

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packs both clients into the folder, with their dependencies in them, so that they can be installed without a network. */
export async function packClients(folder: string): Promise<void> {
  for (const client of clients) {
    const source = join(projectFolder, "clients", client);
    const work = await mkdtemp(join(tmpdir(), "client-"));
    try {
      const plain = await packed(source, work);
      await promisify(execFile)("tar", ["-xzf", plain, "-C", work]);
      const target = join(work, "package");
      const own = await manifestOf(target);
      const bundled = await copyAll(source, target, own);
      await writeFile(join(target, "package.json"), JSON.stringify({ ...own, bundleDependencies: bundled }, null, 2));
      await packed(target, folder);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
}

/** Copies the dependencies of the package, and theirs. Returns their names. */
async function copyAll(from: string, target: string, { dependencies = {} }: Manifest): Promise<readonly string[]> {
  const all = new Set<string>();
  for (const name of Object.keys(dependencies)) {
    const source = folderOf(name, from);
    await cp(source, join(target, "node_modules", name), { recursive: true, dereference: true });
    for (const one of [name, ...(await copyAll(source, target, await manifestOf(source)))]) all.add(one);
  }
  return [...all];
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;

function folderOf(name: string, from: string): string {
  return dirname(createRequire(join(from, "package.json")).resolve(`${name}/package.json`));
}
