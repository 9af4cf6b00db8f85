import { setTimeout as sleep } from "node:timers/promises";
import type { Dependencies } from "../../packages/workbench/stack/ports.ts";
import type { Stack } from "../../packages/workbench/stack/stack.ts";
import {
  startFaultProxy,
  startTcpProxy,
  type FaultProxy,
  type Fate,
  type ProxiedRequest,
  type TcpProxy,
} from "../support/fault-proxy.ts";
import type { Losable } from "../support/losable-server.ts";
import type { Random } from "../support/seeded-random.ts";
import { anyTrouble } from "./troubles.ts";

/** The steps of the protocol at which a host is killed, recognized by the host's request to its tables. */
const places: Readonly<Record<string, (request: ProxiedRequest) => boolean>> = {
  "as it commits": ({ body }) => body.includes("history~"),
  "as it takes or frees a terminal": ({ body }) => body.includes("terminal~claim"),
  "as it enters an order": ({ method, path }) => method !== "GET" && path.includes("/Orders"),
  "as it releases a message": ({ method, path }) => method === "DELETE" && isOfInbox(path) && path.includes("~hold"),
  "as it marks an effect done": ({ method, path, body }) =>
    method !== "GET" && (decodeURIComponent(path).includes("RowKey='command~") || body.includes("webhook~")),
  "as it hands a message out": ({ method, path }) => method === "PUT" && isOfInbox(path),
  "as its change takes a message": ({ path, body }) => path.includes("$batch") && isOfInbox(body),
};

/** Whether the path of a request, or of an operation in its group, names a row of an inbox. */
const isOfInbox = (text: string): boolean => /RowKey=(?:'|%27)inbox~/.test(text);

/** A step that kills the host that reaches it, and the fate of its request there. */
interface Trap {
  readonly isReached: (request: ProxiedRequest) => boolean;
  readonly fate: Fate;
  readonly spring: (host: number) => Promise<void>;
}

export interface Faults {
  readonly between: (real: Dependencies, host: number) => Promise<Dependencies>;
  /** Injects faults into the stack, and loses connections to the webhooks' servers, until the time is over. Then it removes the faults. */
  inject(stack: Stack, webhooks: readonly Losable[], ms: number): Promise<void>;
  /** Loses every connection of the hosts to their dependencies, and to the webhooks' servers. */
  loseAll(webhooks: readonly Losable[]): void;
  readonly counts: Readonly<Record<string, number>>;
  /** How often each host was killed, by its number. */
  readonly kills: readonly number[];
  close(): Promise<void>;
}

/** How long the test waits for a host to reach the step that kills it. */
const TRAP_MS = 2_000;

/**
 * The proxies between the app's hosts and their dependencies. They drop, delay, cut and refuse calls. At chosen steps they kill one host,
 * or all of them at once.
 */
export function chaoticNetwork(random: Random): Faults {
  const counts: Record<string, number> = {};
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
  const kills: number[] = [];
  const tables: FaultProxy[] = [];
  const buses: TcpProxy[] = [];
  let injecting = false;
  let armed: Trap | undefined;

  const onRequest =
    (host: number) =>
    async (request: ProxiedRequest): Promise<Fate> => {
      const trap = armed;
      if (trap?.isReached(request)) {
        armed = undefined;
        await trap.spring(host);
        return trap.fate;
      }
      if (!injecting) return "pass";
      if (random.chance(0.002)) {
        count("table calls delayed");
        await sleep(random.realBetween(50, 3_000));
      }
      const fate = random.chance(0.004) ? random.pick<Fate>("drop-request", "drop-response", "unavailable") : "pass";
      if (fate !== "pass") count(`table calls: ${fate}`);
      return fate;
    };

  /** Kills the next host that reaches the step. If no host reaches it in time, none is killed. */
  async function killAt(place: string, hosts: (host: number) => readonly number[], stack: Stack) {
    const { promise, resolve } = Promise.withResolvers<readonly number[]>();
    const trap: Trap = {
      isReached: places[place] ?? (() => false),
      fate: random.pick<Fate>("drop-request", "drop-response"),
      async spring(host) {
        const dead = hosts(host);
        await Promise.all(dead.map((one) => stack.killFunctions(one)));
        count(`kills ${place}`);
        resolve(dead);
      },
    };
    armed = trap;
    const dead = await Promise.race([promise, sleep(TRAP_MS, undefined)]);
    if (dead) return dead;
    if (armed === trap) {
      armed = undefined;
      return [];
    }
    return promise;
  }

  async function kill(stack: Stack): Promise<void> {
    const all = [...kills.keys()];
    const together = random.chance(0.2);
    const hosts = (host: number) => (together ? all : [host]);
    let dead: readonly number[];
    if (random.chance(0.4)) {
      dead = hosts(random.pick(0, ...all.slice(1)));
      await Promise.all(dead.map((host) => stack.killFunctions(host)));
      count("kills at random");
    } else {
      dead = await killAt(random.pick("as it commits", ...Object.keys(places)), hosts, stack);
    }
    for (const host of dead) kills[host] = (kills[host] ?? 0) + 1;
    if (dead.length > 1) count("kills of all hosts at once");
    await sleep(dead.length > 0 ? random.realBetween(0, 2_000) : 0); // the others run on while its locks and claims remain
    await Promise.all(dead.map((host) => stack.startFunctions(host)));
  }

  async function troubleBuses(): Promise<void> {
    const hit = random.chance(0.5) ? buses : [random.pick(...(buses as [TcpProxy, ...TcpProxy[]]))];
    if (random.chance(0.6)) {
      count("bus connections cut");
      for (const bus of hit) bus.cut();
      return;
    }
    count("bus outages");
    for (const bus of hit) {
      bus.refuse();
      bus.cut();
    }
    await sleep(random.realBetween(300, 2_000));
    for (const bus of hit) bus.accept();
  }

  async function loseConnections(webhooks: readonly Losable[]): Promise<void> {
    const links = { bus: buses, table: tables, webhook: webhooks };
    const what = random.pick("bus", "table", "webhook");
    count(`${what} connections lost`);
    for (const link of links[what]) link.lose();
  }

  async function troubleDependency(stack: Stack): Promise<void> {
    count(await anyTrouble(random, stack));
  }

  return {
    counts,
    kills,
    async between(real, host) {
      const table = await startFaultProxy({ targetPort: real.tables, onRequest: onRequest(host), keepAlive: true });
      const bus = await startTcpProxy({ targetPort: real.serviceBus });
      kills[host] = 0;
      tables[host] = table;
      buses[host] = bus;
      return { tables: table.port, serviceBus: bus.port };
    },
    loseAll(webhooks) {
      for (const link of [...buses, ...tables, ...webhooks]) link.lose();
    },
    async inject(stack, webhooks, ms) {
      injecting = true;
      for (const until = performance.now() + ms; performance.now() < until;) {
        await sleep(random.realBetween(500, 2_200));
        const lose = () => loseConnections(webhooks);
        await random.pick(kill, kill, kill, kill, troubleBuses, troubleDependency, lose)(stack);
      }
      injecting = false;
      await stack.faults.clear();
    },
    async close() {
      for (const proxy of [...tables, ...buses]) await proxy.close();
    },
  };
}
