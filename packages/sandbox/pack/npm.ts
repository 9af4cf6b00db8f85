import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** Packs the package of this folder as it is, without its scripts, and returns the path of its file. Rejects if npm fails. */
export async function packed(folder: string, out: string): Promise<string> {
  await mkdir(out, { recursive: true });
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", out];
  const { stdout } = await promisify(execFile)("npm", words, {
    cwd: folder,
    shell: process.platform === "win32", // npm is a script there
    maxBuffer: 64 * 1024 * 1024, // it lists every file
  });
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(out, filename);
}
