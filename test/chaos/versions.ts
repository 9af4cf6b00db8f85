import { join } from "node:path";
import { buildApp } from "../../infra/tools/build.ts";
import type { Stack } from "../../infra/stack/stack.ts";
import { newestVersion } from "../../shared/ports/stored-forms.ts";
import { buildNextVersion, NEXT } from "./next-version.ts";
import type { Options } from "./options.ts";

/** A version of the app as a host runs it, and the version in which it writes. */
export interface Version {
  readonly app: string;
  readonly settings: Readonly<Record<"WRITE_VERSION", string>>;
}

const writing = (version: number, app: string): Version => ({
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
}

/**
 * The stages of a run. Their apps are built into the given folder, so that a run at the same time is left alone. Without an option both hosts
 * run this version from its beginning to its end.
 *
 * - `nextVersion`: one host goes on to a next version, which writes what this one can read. Then the hosts change places, so one goes back.
 *   Then one goes on to a next version that was switched too early, while this version still runs on the other.
 * - `deploy`: deployments alone, of this version and, if it is wanted, of the next one by turns.
 */
export async function versionsOf({ nextVersion, deploy }: Options, directory: string): Promise<Versions> {
  const here = writing(newestVersion, join(directory, "this-version"));
  await buildApp(here.app);
  const next = nextVersion ? await buildNextVersion(directory) : undefined;
  const expanded = next === undefined ? { ...here } : writing(newestVersion, next);
  const deployed = [here, expanded] as const;
  const alone: Stage = { name: "this version", hosts: { 0: here, 1: here }, isCompatible: true };
  if (next === undefined || deploy) return { stages: [alone], deployed, last: alone };
  const switched = writing(NEXT, next);
  return {
    stages: [
      { name: "a next version beside this one", hosts: { 0: here, 1: expanded }, isCompatible: true },
      { name: "one host goes on, the other goes back", hosts: { 0: expanded, 1: here }, isCompatible: true },
      { name: "a next version that is switched too early", hosts: { 0: here, 1: switched }, isCompatible: false },
    ],
    deployed,
    last: { name: "the next version", hosts: { 0: switched, 1: switched }, isCompatible: false },
  };
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
