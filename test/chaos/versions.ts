import { join } from "node:path";
import { buildApp } from "../../infra/tools/build.ts";
import type { Stack } from "../../packages/workbench/stack/stack.ts";
import { newestVersion } from "../../shared/ports/stored-forms.ts";
import { buildNextVersion, NEXT } from "./next-version.ts";
import type { Options } from "./options.ts";
import { hostPlaces } from "../../packages/workbench/stack/hosts.ts";

/** The hosts that get requests. */
export const HOSTS = 2;

/** A build of the app that a host runs, and the version in which it writes. */
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
  readonly hosts: readonly Version[];
  /** Whether each version can read everything that the other writes, so that no host may leave work to the other. */
  readonly isCompatible: boolean;
}

/** The versions of a run's hosts, stage by stage. */
export interface Versions {
  readonly stages: readonly [Stage, ...Stage[]];
  /** The versions that deployments bring in turn. */
  readonly deployed: readonly [Version, Version];
  /** The versions of the hosts at the end of the run, when the faults are over. */
  readonly last: Stage;
}

/**
 * The stages of a run. Their apps are built into the given folder, so that a concurrent run is not disturbed. Without an option all hosts
 * run this version from beginning to end.
 *
 * - `nextVersion`: every second host goes on to a next version, which writes data that this version can read. Then the hosts change places,
 * so half of them go back. Then half go on to a next version that was switched too early, while the others still run this version.
 * - `deploy`: only deployments, alternately of this version and, with `nextVersion`, of the next one.
 */
export async function versionsOf({ scaleGroups, nextVersion, deploy }: Options, directory: string): Promise<Versions> {
  const here = writing(newestVersion, join(directory, "this-version"));
  await buildApp(here.app);
  const next = nextVersion ? await buildNextVersion(directory) : undefined;
  const expanded = next === undefined ? { ...here } : writing(newestVersion, next);
  const deployed = [here, expanded] as const;
  const inTurn = (...versions: readonly Version[]) =>
    hostPlaces(HOSTS, scaleGroups).flatMap((_, host) => versions[host % versions.length] ?? []);
  const alone: Stage = { name: "this version", hosts: inTurn(here), isCompatible: true };
  if (next === undefined || deploy) return { stages: [alone], deployed, last: alone };
  const switched = writing(NEXT, next);
  return {
    stages: [
      { name: "a next version beside this one", hosts: inTurn(here, expanded), isCompatible: true },
      { name: "one host goes on, the other goes back", hosts: inTurn(expanded, here), isCompatible: true },
      { name: "a next version that is switched too early", hosts: inTurn(here, switched), isCompatible: false },
    ],
    deployed,
    last: { name: "the next version", hosts: inTurn(switched), isCompatible: false },
  };
}

/** The hosts of a stack, and the app and settings of each. */
export interface RollingHosts {
  readonly app: (host: number) => string;
  readonly settings: (host: number) => Readonly<Record<string, string>>;
  /** Receives the hosts' log lines, to count the work that they leave to another version. */
  readonly onAppLine: (line: string) => void;
  /** How often a host left a message or a row to another version. */
  readonly timesLeft: () => number;
  /** Switches a host to the other deployed version, at its next start. */
  readonly become: (host: number) => void;
  /** Kills each host that changes its version in this stage, like a power cut, and starts it again. */
  readonly roll: (stack: Stack, stage: Stage) => Promise<void>;
}

export function rollingHosts(versions: Pick<Versions, "stages" | "deployed">): RollingHosts {
  let timesLeft = 0;
  const running = [...versions.stages[0].hosts];
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
      for (const [host, version] of hosts.entries()) {
        if (of(host) === version) continue;
        running[host] = version;
        await stack.killFunctions(host);
        await stack.startFunctions(host);
      }
    },
  };
}
