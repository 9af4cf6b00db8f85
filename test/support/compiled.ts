import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./rooms.ts";

/**
 * The compiler's complaints about these modules, one a line, by this repository's settings. A key is its file's name without the extension.
 */
export async function complaintsOfCompiler(modules: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "compiled-"));
  try {
    for (const [name, text] of modules) await writeFile(join(folder, `${name}.ts`), text);
    const settings = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { typeRoots: [join(root, "node_modules/@types")], noUnusedLocals: false }, // an excerpt has unused names
      include: ["*.ts"],
      exclude: [],
    };
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(
      (error: { stdout: string }) => error,
    );
    return stdout.split("\n").filter((line) => line.includes("error"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
