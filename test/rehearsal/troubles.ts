import { setTimeout as sleep } from "node:timers/promises";
import type { FaultTarget } from "../../infra/local/faults/rule.ts";
import type { Stack } from "../../infra/local/stack.ts";
import type { RollingHosts } from "../chaos/versions.ts";
import type { Random } from "../support/seeded-random.ts";
import type { TroubleName } from "./trouble-names.ts";

/** What a trouble acts on. */
export interface Scene {
  readonly stack: Stack;
  readonly hosts: RollingHosts;
  readonly random: Random;
  /** Writes down what is done, with its moment. */
  readonly note: (what: string) => void;
  /** Behaviour of the day's partners and terminals, as it is now. */
  readonly behaviour: Behaviour;
}

/** A webhook server that hangs responds when `hanging` is over; undefined while none hangs. */
export interface Behaviour {
  areTerminalsTroubled: boolean;
  hanging: { readonly over: Promise<void>; readonly end: () => void } | undefined;
}

/** Begins a trouble, and returns what ends it. It does not end by itself before `seconds` are over. */
type Begin = (scene: Scene, seconds: number) => Promise<() => Promise<void>>;

const fault =
  (target: FaultTarget, kind: "away" | "silent"): Begin =>
  async ({ stack: { faults } }, seconds) => {
    await faults.set(target, { kind, seconds: Math.ceil(seconds) + 60 });
    return () => faults.clear(target);
  };

/** The host that is of another version for a while. */
const OTHER_HOST = 1;
const hostNames = ["the first server", "the second server"];

/** Kills one server, or both, again and again, and starts them after a moment. */
async function keepKilling({ stack, random, note }: Scene, signal: AbortSignal): Promise<void> {
  const pause = (low: number, high: number) =>
    sleep(random.realBetween(low, high), undefined, { signal }).catch(() => {});
  while (!signal.aborted) {
    const killed = random.chance(0.25) ? [0, 1] : [random.pick(0, 1)];
    await Promise.all(killed.map((host) => stack.killFunctions(host)));
    note(killed.length > 1 ? "both servers were killed" : `${hostNames[killed[0] ?? 0]} was killed`);
    await pause(200, 2_000);
    await Promise.all(killed.map((host) => stack.startFunctions(host)));
    await pause(1_500, 4_000);
  }
}

export const troubles: Readonly<Record<TroubleName, Begin>> = {
  "tables-away": fault({ tables: "all" }, "away"),
  "bus-silent": fault({ queues: "all" }, "silent"),
  async kill(scene) {
    const over = new AbortController();
    const killing = keepKilling(scene, over.signal);
    return async () => {
      over.abort();
      await killing;
    };
  },
  async "hanging-partner"({ behaviour }) {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    behaviour.hanging = { over, end };
    return async () => {
      behaviour.hanging = undefined;
      end();
    };
  },
  async "imperfect-terminals"({ behaviour }) {
    behaviour.areTerminalsTroubled = true;
    return async () => void (behaviour.areTerminalsTroubled = false);
  },
  async "two-versions"({ stack, hosts, note }) {
    const change = async (what: string) => {
      hosts.become(OTHER_HOST);
      await stack.restartFunctions(OTHER_HOST);
      note(`the second server runs ${what}`);
    };
    await change("the other version");
    return () => change("this version again");
  },
};
