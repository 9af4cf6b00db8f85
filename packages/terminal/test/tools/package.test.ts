import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import description from "../../package.json" with { type: "json" };

const { dependencies, name, version } = description;
const run = promisify(execFile);
const source = resolve(import.meta.dirname, "../..");
const installed = resolve(source, "../../node_modules");

it.skipIf(process.platform === "win32")(
  "the kit and the simulated terminal start from their tarball, in a folder with their dependencies alone",
  async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "terminal-")));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: source });
    const target = join(folder, "node_modules", name);
    await mkdir(target, { recursive: true });
    await run("tar", ["-xzf", `${name}-${version}.tgz`, "-C", target, "--strip-components=1"], { cwd: folder });
    for (const dependency of Object.keys(dependencies)) {
      const link = join(folder, "node_modules", dependency);
      await mkdir(dirname(link), { recursive: true });
      await symlink(join(installed, dependency), link, "junction");
    }
    const dist = join("node_modules", name, "dist");
    const terminal = `"${process.execPath}" ${join(dist, "simulated/simulated-terminal.js")}`;
    const kit = [join(dist, "kit/terminal-kit.js"), "--only", "approval", "--terminal", terminal];
    const { stdout } = await run(process.execPath, kit, { cwd: folder });
    expect(stdout).toContain("1 passed, 0 failed");
  },
);
