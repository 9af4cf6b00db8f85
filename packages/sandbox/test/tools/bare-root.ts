import { execFile } from "node:child_process";
import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { skippedIf } from "../../../../test/support/skipped.ts";

const run = promisify(execFile);

/** Only root may change the root of a process. */
export const withoutChroot = skippedIf(
  process.platform !== "linux" || process.getuid?.() !== 0,
  "only root on Linux can change a root",
);

/** The part of an image of `node:24-slim` that the sandbox needs. */
export interface BareRoot {
  readonly folder: string;
  /** The words that run the sandbox in it. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Makes a root filesystem of Node, its libraries and the package. There is no shell in it. */
export async function bareRoot(folder: string, sandbox: string): Promise<BareRoot> {
  const { stdout } = await run("ldd", [process.execPath]);
  const libraries = stdout.match(/\/\S+\.so\S*/g) ?? [];
  for (const file of libraries) await copied(folder, file, file);
  await copied(folder, process.execPath, "/bin/node");
  await copied(folder, sandbox, "/sandbox");
  for (const empty of ["tmp", "dev"]) await mkdir(join(folder, empty), { recursive: true });
  await chmod(join(folder, "tmp"), 0o777);
  await mkdir(join(folder, "etc"), { recursive: true });
  await writeFile(join(folder, "etc/hosts"), "127.0.0.1 localhost\n");
  await writeFile(join(folder, "etc/passwd"), "node:x:1000:1000::/tmp:/bin/false\n");
  await run("mknod", ["-m", "666", join(folder, "dev/null"), "c", "1", "3"]);
  return {
    folder,
    command: ["chroot", "--userspec=1000:1000", folder, "/bin/node", "/sandbox/packages/sandbox/bin.js"],
    env: { XDG_STATE_HOME: "/tmp", PATH: "/bin:/usr/sbin:/usr/bin:/sbin", CI: "true" },
  };
}

async function copied(folder: string, from: string, to: string): Promise<void> {
  await mkdir(join(folder, dirname(to)), { recursive: true });
  await cp(from, join(folder, to), { recursive: true, dereference: true });
}
