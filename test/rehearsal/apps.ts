import { join } from "node:path";
import { buildApp, ownVersion } from "../../infra/build.ts";
import { newestVersion } from "../../shared/domain/stored-forms.ts";
import { buildNextVersion } from "../chaos/next-version.ts";
import { rollingHosts, writing, type RollingHosts } from "../chaos/versions.ts";

/** The apps of a rehearsal, and the hosts that run them. */
export interface Apps {
  readonly version: string;
  /** The version that runs beside this one for a while, as people call it; undefined where none does. */
  readonly beside: string | undefined;
  readonly hosts: RollingHosts;
}

/**
 * Builds this version into the given folder, so that a stack that runs from `dist` meanwhile is left alone; and where another version is to
 * run beside it, a next one. The last release is none to rehearse with: it does not read payments that keep books.
 */
export async function buildApps(directory: string, isOtherWanted: boolean): Promise<Apps> {
  const here = writing(newestVersion, join(directory, "this-version"));
  await buildApp(here.app);
  const other = isOtherWanted ? writing(newestVersion, await buildNextVersion(directory)) : undefined;
  const hosts = rollingHosts({
    stages: [{ name: "this version", hosts: { 0: here, 1: here }, isCompatible: true }],
    deployed: [other ?? here, { ...here }],
  });
  return { version: await ownVersion(), beside: other && "a next version", hosts };
}
