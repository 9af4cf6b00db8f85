import { join } from "node:path";
import { buildApp } from "../../infra/build.ts";
import type { Stack } from "../../infra/local/stack.ts";
import { newestVersion, oldestVersion } from "../../shared/domain/stored-forms.ts";
import { buildLastRelease, lastRelease } from "./last-release.ts";
import { buildNextVersion, NEXT } from "./next-version.ts";
import type { Options } from "./options.ts";

/** A version of the app as a host runs it, and the version in which it writes. */
export interface Version {
  readonly app: string;
  readonly settings: Readonly<Record<"WRITE_VERSION", string>>;
}

export const writing = (version: number, app: string): Version => ({
  app,
  settings: { WRITE_VERSION: String(version) },
});

/** A part of a run, and the hosts that are switched to a version when it begins. */
export interface Stage {
  readonly name: string;
  readonly hosts: Readonly<Record<number, Version>>;
  /** Each version can read what the other writes, so that nothing may be left to the other. */
  readonly isCompatible: boolean;
}

/** The versions that the hosts of a run have, one stage after the other. */
export interface Versions {
  readonly stages: readonly [Stage, ...Stage[]];
  /** The versions that deployments bring in turn. */
  readonly deployed: readonly [Version, Version];
  /** The versions of the hosts at the end of the run, when the faults are over. */
  readonly last: Stage;
  /** What was wanted and cannot be tried, as a sentence; undefined where all is tried. */
  readonly leftOut: string | undefined;
}

/**
 * The stages of a run. Their apps are built into the given folder, so that a run at the same time is left alone. Without an option both hosts
 * run this version from its beginning to its end. Each option adds its own:
 *
 * - `lastRelease`: both hosts run the last release at first; then one of them this version; then they change places, so that one of them
 *   goes back. As long as both run, both write what the last release reads; the books begin after that.
 * - `nextVersion`: one host goes on to a next version, which writes what this one can read; and then to one that was switched too early,
 *   while this version still runs beside it.
 * - `deploy`: both hosts run the last release where it is wanted, else this version, until the first deployment.
 */
export async function versionsOf(options: Options, directory: string): Promise<Versions> {
  const { lastRelease: withLast, nextVersion, deploy } = options;
  const here = writing(newestVersion, join(directory, "this-version"));
  await buildApp(here.app);
  const before = withLast ? await buildLastRelease(directory) : undefined;
  const next = nextVersion ? await buildNextVersion(directory) : undefined;
  const released = before === undefined ? here : writing(oldestVersion, before);
  const expanding = before === undefined ? here : writing(oldestVersion, here.app);
  const stages: Stage[] = [];
  if (deploy) stages.push({ name: "deployments", hosts: { 0: released, 1: released }, isCompatible: true });
  else if (before !== undefined) {
    stages.push(
      { name: `${lastRelease}, and this version beside it`, hosts: { 0: released, 1: expanding }, isCompatible: true },
      { name: "one host goes on, the other goes back", hosts: { 0: expanding, 1: released }, isCompatible: true },
    );
  }
  if (next !== undefined) {
    const switched = writing(NEXT, next);
    stages.push(
      {
        name: "a next version beside this one",
        hosts: { 0: here, 1: writing(newestVersion, next) },
        isCompatible: true,
      },
      { name: "a next version that is switched too early", hosts: { 0: here, 1: switched }, isCompatible: false },
    );
    return withStages(stages, { name: "the next version", hosts: { 0: switched, 1: switched }, isCompatible: false });
  }
  return withStages(stages, { name: "this version", hosts: { 0: here, 1: here }, isCompatible: true });

  function withStages([first, ...others]: readonly Stage[], last: Stage): Versions {
    const isMissing = withLast && before === undefined;
    const leftOut = isMissing ? `${lastRelease}, is not in the history of this clone: fetch all of it` : undefined;
    return { stages: [first ?? last, ...others], deployed: [released, { ...expanding }], last, leftOut };
  }
}

/** The hosts of a stack, and what each of them runs. */
export interface RollingHosts {
  readonly app: (host: number) => string;
  readonly settings: (host: number) => Readonly<Record<string, string>>;
  /** Receives what the hosts write, to count what they leave to another version. */
  readonly onAppLine: (line: string) => void;
  /** How often a host left a message or a row to another version. */
  readonly timesLeft: () => number;
  /** Brings the other one of the deployed versions to a host, at its next start. */
  readonly become: (host: number) => void;
  /** Ends each host that is to change its version at once, like a power cut, and starts it again. */
  readonly roll: (stack: Stack, stage: Stage) => Promise<void>;
}

export function rollingHosts(versions: Pick<Versions, "stages" | "deployed">): RollingHosts {
  let timesLeft = 0;
  const running: Record<number, Version> = { ...versions.stages[0].hosts };
  function of(host: number): Version {
    const version = running[host];
    if (!version) throw new Error(`host ${host} has no version`);
    return version;
  }
  return {
    app: (host) => of(host).app,
    settings: (host) => of(host).settings,
    onAppLine(line) {
      if (line.includes('"event":"versionAhead"')) timesLeft++;
    },
    timesLeft: () => timesLeft,
    become(host) {
      const [one, other] = versions.deployed;
      running[host] = of(host) === one ? other : one;
    },
    async roll(stack, { hosts }) {
      for (const [host, version] of Object.entries(hosts)) {
        if (of(Number(host)) === version) continue;
        running[Number(host)] = version;
        await stack.killFunctions(Number(host));
        await stack.startFunctions(Number(host));
      }
    },
  };
}
