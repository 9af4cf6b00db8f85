import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "vitest";
import { watchFolders } from "../../start/watched-folders.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";

let folder: string;
let noted: string[];
let unwatch: () => void;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "watched-"));
  await mkdir(join(folder, "deep", "deeper"), { recursive: true });
  await writeFile(join(folder, "deep", "deeper", "one.ts"), "");
  noted = [];
  unwatch = watchFolders([folder], (path) => noted.push(path));
});
afterEach(async () => {
  unwatch();
  await rm(folder, { recursive: true });
});

const isNoted = (path: string) =>
  waitFor(`the change of ${path}`, async () => noted, { until: (paths) => paths.includes(path) });

it("notices every replacement of a file by a rename, as editors do", async () => {
  const file = join(folder, "deep", "deeper", "one.ts");
  for (let save = 1; save <= 3; save++) {
    noted = [];
    await writeFile(join(folder, "deep", "deeper", "one.tmp"), String(save));
    await rename(join(folder, "deep", "deeper", "one.tmp"), file);
    await isNoted(file);
  }
  noted = [];
  await writeFile(file, "in place");
  await isNoted(file);
});

it("notices writes in a folder that was created meanwhile, and continues if one is removed", async () => {
  await rm(join(folder, "deep"), { recursive: true });
  await mkdir(join(folder, "new"));
  const file = join(folder, "new", "two.ts");
  const written = async () => {
    await writeFile(file, "");
    return noted;
  };
  await waitFor("the new folder to be watched", written, { until: (paths) => paths.includes(file) });
});
