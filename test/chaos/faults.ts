import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../infra/local/stack.ts";
import {
  startFaultProxy,
  startTcpProxy,
  type Fate,
  type ProxiedRequest,
  type TcpProxy,
} from "../support/fault-proxy.ts";
import type { Random } from "../support/seeded-random.ts";

/** Where in the protocol a host is killed, seen by the request that it makes to its tables. */
const places: Readonly<Record<string, (request: ProxiedRequest) => boolean>> = {
  "as it commits": ({ body }) => body.includes("history~"),
  "as it takes a terminal": ({ body }) => body.includes("terminal~claim"),
  "as it marks an effect done": ({ method, path }) =>
    method !== "GET" && decodeURIComponent(path).includes("RowKey='command~"),
  "as it hands a message out": ({ method, path }) =>
    method === "PUT" && decodeURIComponent(path).includes("RowKey='inbox~"),
  "as it forgets a message": ({ method, path }) =>
    method === "DELETE" && decodeURIComponent(path).includes("RowKey='inbox~"),
};

export interface Faults {
  readonly between: (real: { tables: number; serviceBus: number }) => Promise<{ tables: number; serviceBus: number }>;
  /** Throws faults at the stack until the time is over, then lets it calm down. */
  rage(stack: Stack, ms: number): Promise<void>;
  readonly counts: Record<string, number>;
  close(): Promise<void>;
}

/** What stands between the app and its dependencies: it drops, delays, cuts and refuses, and kills the host at chosen places. */
export function chaoticNetwork(random: Random): Faults {
  const counts: Record<string, number> = {};
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
  const closers: (() => Promise<void>)[] = [];
  let bus: TcpProxy | undefined;
  let raging = false;
  let armed: { place: string; fate: Fate; reached: () => Promise<void> } | undefined;

  async function onRequest(request: ProxiedRequest): Promise<Fate> {
    const trap = armed;
    if (trap && places[trap.place]?.(request)) {
      armed = undefined;
      await trap.reached();
      return trap.fate;
    }
    if (!raging) return "pass";
    if (random.chance(0.002)) {
      count("table calls delayed");
      await sleep(random.realBetween(50, 3_000));
    }
    const fate = random.chance(0.004) ? random.pick<Fate>("drop-request", "drop-response", "unavailable") : "pass";
    if (fate !== "pass") count(`table calls: ${fate}`);
    return fate;
  }

  async function kill(stack: Stack): Promise<void> {
    if (random.chance(0.4)) {
      await stack.killFunctions();
      count("kills at random");
    } else {
      const place = random.pick("as it commits", ...Object.keys(places));
      const fate = random.pick<Fate>("drop-request", "drop-response");
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const reached = async () => {
        await stack.killFunctions();
        count(`kills ${place}`);
        resolve(true);
      };
      armed = { place, fate, reached };
      if (!(await Promise.race([promise, sleep(2_000, false)]))) {
        if (armed) return void (armed = undefined); // nobody came by
        await promise;
      }
    }
    count("kills");
    await stack.startFunctions();
  }

  return {
    counts,
    async between(real) {
      const tables = await startFaultProxy({ targetPort: real.tables, onRequest, keepAlive: true });
      bus = await startTcpProxy({ targetPort: real.serviceBus });
      closers.push(
        () => tables.close(),
        () => bus?.close() ?? Promise.resolve(),
      );
      return { tables: tables.port, serviceBus: bus.port };
    },
    async rage(stack, ms) {
      raging = true;
      for (const until = performance.now() + ms; performance.now() < until;) {
        await sleep(random.realBetween(500, 2_200));
        if (random.chance(0.25)) {
          count("bus connections cut");
          bus?.cut();
        } else if (random.chance(0.15)) {
          count("bus outages");
          bus?.refuse();
          bus?.cut();
          await sleep(random.realBetween(300, 2_000));
          bus?.accept();
        } else {
          await kill(stack);
        }
      }
      raging = false;
    },
    async close() {
      for (const close of closers) await close();
    },
  };
}
