import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStack, type Stack, type StackOptions } from "../../packages/workbench/stack/stack.ts";
import { searchLogs } from "./secret-search.ts";
import { secretsOf } from "./secrets-of-stack.ts";
import { startFaultProxy, type Fate, type FaultProxy } from "./fault-proxy.ts";

/** A request to Table Storage at which the host dies, and whether that request still takes place. */
export interface PowerCut {
  readonly at: (body: string) => boolean;
  readonly fate: Fate;
  /** The condition for the host's death: its work that must be done by then. */
  readonly after?: () => Promise<unknown>;
}

export interface TroubledStack {
  readonly stack: Stack;
  /** Decides the fate of each request of the app to its tables from now on. */
  decide(fateOf: (body: string) => Fate): void;
  /** Kills the host at this place, like a power cut. Resolves when it is dead. The test must start another. */
  killedAt(where: PowerCut): Promise<void>;
  /** The whole log of the app and its host. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** A stack of its own, in which the test controls every request between the app and its tables. */
export async function startTroubledStack(
  options: Pick<StackOptions, "settings" | "queueOverrides"> = {},
): Promise<TroubledStack> {
  let decide: (body: string) => Fate | Promise<Fate> = () => "pass";
  let proxy: FaultProxy | undefined;
  const directory = await mkdtemp(join(tmpdir(), "troubled-"));
  const stack = await startStack({
    ports: "free",
    directory,
    ...options,
    between: async (real) => {
      proxy = await startFaultProxy({ targetPort: real.tables, onRequest: ({ body }) => decide(body) });
      return { ...real, tables: proxy.port };
    },
  });
  return {
    stack,
    decide: (fateOf) => void (decide = fateOf),
    killedAt({ at, fate, after }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      decide = async (body) => {
        if (!at(body)) return "pass";
        decide = () => "pass";
        await after?.();
        await stack.killFunctions();
        resolve();
        return fate;
      };
      return promise;
    },
    log: () => readFile(join(directory, "logs", "functions.log"), "utf8"),
    async stop() {
      const secrets = await secretsOf(stack);
      await stack.stop();
      await proxy?.close();
      try {
        await searchLogs(join(directory, "logs"), secrets);
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}
