import { join } from "node:path";
import { buildApp, ownVersion } from "../../infra/build.ts";
import { buildLastRelease, lastRelease } from "../chaos/last-release.ts";
import { buildNextVersion } from "../chaos/next-version.ts";
import { rollingHosts, type RollingHosts } from "../chaos/versions.ts";

/** The apps of a rehearsal, and the hosts that run them. */
export interface Apps {
  readonly version: string;
  /** The version that runs beside this one for a while, as people call it; undefined where none does. */
  readonly beside: string | undefined;
  readonly hosts: RollingHosts;
}

/**
 * Builds this version into the given folder, so that a stack that runs from `dist` meanwhile is left alone; and where another version is to
 * run beside it, that one as well: the last release, or where this clone's history does not reach back to it, a next version.
 */
export async function buildApps(directory: string, isOtherWanted: boolean): Promise<Apps> {
  const here = { app: join(directory, "this-version") };
  await buildApp(here.app);
  const other = isOtherWanted ? await buildOther(directory) : undefined;
  const hosts = rollingHosts({
    stages: [{ name: "this version", hosts: { 0: here, 1: here }, isCompatible: true }],
    deployed: [other ?? here, { ...here }],
  });
  return { version: await ownVersion(), beside: other?.name, hosts };
}

async function buildOther(directory: string): Promise<{ readonly app: string; readonly name: string }> {
  const released = await buildLastRelease(directory);
  return released === undefined
    ? { app: await buildNextVersion(directory), name: "a next version" }
    : { app: released, name: lastRelease };
}
