import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStack } from "../../packages/workbench/stack/stack.ts";
import { runScript } from "../../infra/tools/script.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { beginDay, patientQueues, shortDeadlines } from "./day.ts";
import { chaoticNetwork } from "./faults.ts";
import { chaosScript, type Options } from "./options.ts";
import { report } from "./report.ts";
import { disturb, type Disturbed } from "./stages.ts";
import { HOSTS, rollingHosts, versionsOf } from "./versions.ts";

// `npm run chaos` runs the app as it is deployed, on the real SDKs and several hosts, under load. Meanwhile faults kill its hosts and disturb
// its network, terminals violate their rules, and an operator corrects the results. Afterwards a checker compares all logs. The same seed
// plans the same faults, but processes race differently in each run.

/** The terminals' next business day begins even within the shortest runs. */
const MIDNIGHT_MS = [5_000, 25_000] as const;

/** If deployments are the only fault, a payment has the deadlines of production. */
const timingsOf = ({ deploy }: Options) =>
  deploy ? { ...shortDeadlines, ACCEPTANCE_SECONDS: "30", EXPIRY_SECONDS: "120" } : shortDeadlines;

async function run(disturbed: Disturbed): Promise<boolean> {
  const { options, stack, faults } = disturbed;
  const { seed, terminals, deploy } = options;
  const random = seededRandom(seed - 2);
  const day = await beginDay(stack, {
    seed,
    terminals,
    areTerminalsTroubled: deploy === undefined,
    midnightMs: () => random.realBetween(...MIDNIGHT_MS),
  });
  try {
    const { deployments, unread } = await disturb(disturbed, day.webhooks);
    const ended = await day.end();
    const { moving, mistakes, violations } = ended;
    return report(options, {
      ...ended,
      kills: faults.kills,
      deployments,
      faults: faults.counts,
      actions: day.counts,
      wrong: [...(moving === undefined ? [] : [`not quiet: ${moving}`]), ...mistakes, ...unread, ...violations],
    });
  } finally {
    await day.stop();
  }
}

async function main(options: Options): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), "chaos-"));
  const faults = chaoticNetwork(seededRandom(options.seed));
  try {
    const versions = await versionsOf(options, directory);
    const hosts = rollingHosts(versions);
    const stack = await startStack({
      ports: "free",
      directory,
      hosts: HOSTS,
      scaleGroups: options.scaleGroups,
      app: hosts.app,
      onAppLine: hosts.onAppLine,
      between: faults.between,
      ...(!options.deploy && { queueOverrides: patientQueues }),
      settings: (host) => ({ ...timingsOf(options), ...hosts.settings(host) }),
    });
    try {
      return await run({ options, faults, stack, versions, hosts });
    } finally {
      await stack.stop();
    }
  } finally {
    await faults.close();
    await rm(directory, { recursive: true, force: true });
  }
}

export const script = chaosScript(
  async (options) => {
    process.exitCode = (await main(options)) ? 0 : 1;
  },
  1 + (Date.now() % 1_000_000),
);

if (import.meta.main) await runScript(script);
