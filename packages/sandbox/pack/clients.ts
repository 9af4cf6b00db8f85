import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage } from "../../../infra/tools/build-package.ts";
import { projectFolder } from "../../../infra/tools/packed.ts";
import { packed } from "./npm.ts";

const clients = ["partners", "consumer"];

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packs both clients into the folder, with their dependencies in them, so that they can be installed without a network. */
export async function packClients(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(tmpdir(), "clients-"));
  try {
    for (const client of clients) {
      const source = join(projectFolder, "clients", client);
      const copy = join(work, client);
      await buildPackage(source);
      await cp(join(source, "dist"), copy, { recursive: true });
      const manifest = await manifestIn(copy);
      const bundled = await copyDependencies(manifest, copy);
      await writeFile(
        join(copy, "package.json"),
        JSON.stringify({ ...manifest, bundleDependencies: bundled }, null, 2),
      );
      await rename(await packed(copy, folder), join(folder, `${manifest.name}.tgz`));
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Copies the packages that this one needs, and those that they need. Returns their names. */
async function copyDependencies({ dependencies = {} }: Manifest, target: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of Object.keys(dependencies)) {
    const source = join(projectFolder, "node_modules", name);
    await cp(source, join(target, "node_modules", name), { recursive: true });
    names.push(name, ...(await copyDependencies(await manifestIn(source), target)));
  }
  return names;
}

const manifestIn = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
