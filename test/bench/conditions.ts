import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { promisify } from "node:util";

const root = new URL("../../", import.meta.url);

/** Packages whose versions change the figures. */
const PACKAGES = ["@azure/data-tables", "@azure/functions", "@azure/service-bus", "azurite", "rhea", "undici", "zod"];

/** The conditions of a measurement: the machine and its load, the versions, the commit, the date. */
export async function conditions() {
  return {
    date: new Date().toISOString(),
    commit: await commit(),
    machine: {
      cores: availableParallelism(),
      model: cpus()[0]?.model ?? "unknown",
      memoryBytes: totalmem(),
      /** Processes that ran or waited to run, averaged over 1, 5 and 15 minutes before the run. */
      load: loadavg(),
    },
    versions: { node: process.version, ...Object.fromEntries(await Promise.all(PACKAGES.map(versionOf))) },
  };
}

async function versionOf(name: string): Promise<readonly [string, string]> {
  const { version } = JSON.parse(await readFile(new URL(`node_modules/${name}/package.json`, root), "utf8")) as {
    readonly version: string;
  };
  return [name, version];
}

/** The checked-out commit, and whether files differ from it; `unknown` outside a repository. */
async function commit(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)("git", args, { cwd: root })).stdout.trim();
  try {
    const [head, changes] = await Promise.all([
      git("rev-parse", "--short", "HEAD"),
      git("status", "--porcelain", "--untracked-files=no"),
    ]);
    return changes === "" ? head : `${head} with changes`;
  } catch {
    return "unknown";
  }
}
