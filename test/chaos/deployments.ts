import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../packages/workbench/stack/stack.ts";

/** Assigns the other version to a host, from its next start. */
type Become = (host: number) => void;
type Deploy = (stack: Stack, become: Become) => Promise<void>;

/** How long no host runs if all are ended at once: the time that new ones need to start. */
const DOWN_MS = 10_000;
/** How long the load runs before a deployment. */
const BETWEEN_MS = 5_000;

/** How Azure Functions can bring a new version to the hosts of an app. */
const strategies = {
  /** One host after the other. It gets no new requests and messages and ends its current ones. Then the new version starts. */
  async rolling(stack, become) {
    for (const host of stack.hostParts.keys()) {
      become(host);
      await stack.restartFunctions(host);
    }
  },
  /** All hosts end at once, in the middle of their work. The new version starts afterwards. */
  async recreate(stack, become) {
    const hosts = [...stack.hostParts.keys()];
    await Promise.all(hosts.map((host) => stack.killFunctions(host)));
    for (const host of hosts) become(host);
    await sleep(DOWN_MS);
    await Promise.all(hosts.map((host) => stack.startFunctions(host)));
  },
} satisfies Record<string, Deploy>;
export type Strategy = keyof typeof strategies;
export const strategyNames = Object.keys(strategies) as Strategy[];

/** Deploys repeatedly until the time is over. Returns the number of deployments. */
export async function deployUntil(
  over: number,
  stack: Stack,
  { strategy, become }: { readonly strategy: Strategy; readonly become: Become },
): Promise<number> {
  for (let times = 0; ; times++) {
    await sleep(BETWEEN_MS);
    if (performance.now() > over) return times;
    await strategies[strategy](stack, become);
  }
}
