import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import release from "../../infra/release.json" with { type: "json" };

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

/** The release that this one takes over from, as people call it. */
export const lastRelease = `the last release, ${release.version} (${release.commit.slice(0, 12)})`;

/**
 * Builds the last release into its own subfolder of the given folder: its source from this clone's history, its own build, and the packages
 * that are installed here. Returns the folder of the built app; undefined where the history does not reach back to it, as in a shallow clone.
 */
export async function buildLastRelease(directory: string): Promise<string | undefined> {
  const { commit } = release;
  if (!(await isInHistory(commit))) return undefined;
  const source = join(directory, "last-release");
  const archive = join(directory, "last-release.tar");
  await mkdir(source, { recursive: true });
  await run("git", ["archive", "--format=tar", `--output=${archive}`, commit], { cwd: root });
  await run("tar", ["-xf", archive, "-C", source]);
  await symlink(join(root, "node_modules"), join(source, "node_modules"), "junction");
  await run(process.execPath, [join(source, "infra", "build.ts")], { cwd: source });
  return join(source, "dist");
}

const isInHistory = (commit: string): Promise<boolean> =>
  run("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  );
