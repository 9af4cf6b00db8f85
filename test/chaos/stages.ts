import type { Stack } from "../../packages/workbench/stack/stack.ts";
import { deployUntil } from "./deployments.ts";
import type { Losable } from "../support/losable-server.ts";
import type { Faults } from "./faults.ts";
import type { Options } from "./options.ts";
import { endure } from "./troubles.ts";
import type { RollingHosts, Versions } from "./versions.ts";

/** The faults of a run. */
export interface Disturbed {
  readonly options: Options;
  readonly stack: Stack;
  readonly faults: Faults;
  readonly versions: Versions;
  readonly hosts: RollingHosts;
}

/** The partners' servers for webhooks. */
type Webhooks = readonly Losable[];

/**
 * Leads the hosts through the stages of a run, with its faults in each, and then to its last versions. Returns the number of deployments,
 * and the stages in which one version wrote data that the other could not read although it must.
 */
export async function disturb(
  disturbed: Disturbed,
  webhooks: Webhooks,
): Promise<{ deployments: number; unread: readonly string[] }> {
  const { options, stack, versions, hosts } = disturbed;
  const ms = (options.minutes * 60_000) / versions.stages.length;
  const unread: string[] = [];
  let deployments = 0;
  for (const stage of versions.stages) {
    await hosts.roll(stack, stage);
    deployments += await disturbFor(ms, disturbed, webhooks);
    if (stage.isCompatible && hosts.timesLeft() > 0)
      unread.push(`${stage.name}: ${hosts.timesLeft()} times what one version wrote was left to the other`);
  }
  await hosts.roll(stack, versions.last);
  return { deployments, unread };
}

/** Injects the faults of the run for this time. Returns the number of deployments. */
async function disturbFor(
  ms: number,
  { options, stack, faults, hosts }: Disturbed,
  webhooks: Webhooks,
): Promise<number> {
  const { trouble, deploy } = options;
  if (deploy) return deployUntil(performance.now() + ms, stack, { strategy: deploy, become: hosts.become });
  const loseAll = () => faults.loseAll(webhooks);
  await (trouble ? endure(trouble, { stack, loseAll }, ms) : faults.inject(stack, webhooks, ms));
  return 0;
}
