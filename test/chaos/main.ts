import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../infra/build.ts";
import { startStack } from "../../infra/local/stack.ts";
import { runScript } from "../../infra/script.ts";
import { partnerOn } from "../support/partner.ts";
import { webShopOn } from "../support/web-shop.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { startWebhookServer } from "../support/webhook-server.ts";
import { check } from "./checker.ts";
import { chaoticNetwork } from "./faults.ts";
import { startLoad } from "./load.ts";
import { startOperator } from "./operator.ts";
import { chaosScript, type Options } from "./options.ts";
import { notQuiet } from "./quiet.ts";
import { report, type Wait } from "./report.ts";
import { disturb, type Disturbed } from "./stages.ts";
import { startTerminal, type TerminalAction } from "./terminal.ts";
import { rollingHosts, versionsOf } from "./versions.ts";

// `npm run chaos` runs the app as it is deployed, on the real SDKs and two hosts, under load. Meanwhile faults kill its hosts and disturb its network, terminals
// violate their rules, and an operator corrects the results. Afterwards a checker compares all logs. The same seed plans the same faults, but
// processes race differently in each run.

const QUIET_WITHIN_MS = 240_000;
/**
 * The platform counts as quiet after several checks in a row without activity, because a check reads row after row while rows may change.
 */
const QUIET_FOR_MS = 4_000;
/** Few for so many payments, so that the payments race for them. */
const VOUCHERS = 40;
const VOUCHER_TRIES = 5;
/** One in so many terminals is imperfect. */
const IMPERFECT_OF = 3;

/** Deadlines that end within a run. With production's values it would take long to become quiet. */
const settings = {
  ACCEPTANCE_SECONDS: "15",
  EXPIRY_SECONDS: "30",
  ANSWER_SECONDS: "10",
  OUTCOME_SECONDS: "15",
  DOUBT_SECONDS: "25",
  RETRY_VOID_SECONDS: "5",
  COMMIT_WINDOW_SECONDS: "8",
  LEASE_SECONDS: "3",
};

/** Where deployments are the only fault, a payment has the time that production gives it. */
const timingsOf = ({ deploy }: Options) =>
  deploy ? { ...settings, ACCEPTANCE_SECONDS: "30", EXPIRY_SECONDS: "120" } : settings;

async function run(disturbed: Disturbed): Promise<boolean> {
  const { options, stack, faults } = disturbed;
  const { seed } = options;
  const counts: Record<string, number> = {};
  const count = (what: string) => void (counts[what] = (counts[what] ?? 0) + 1);
  const actions: TerminalAction[] = [];
  const shop = webShopOn(stack.file);
  const vouchers: string[] = [];
  // In batches: all at once would make a slow machine respond 503 before the run has begun.
  while (vouchers.length < VOUCHERS)
    vouchers.push(...(await Promise.all(Array.from({ length: 8 }, async () => voucherOf(shop)))));
  const tills = await Promise.all(
    Array.from({ length: options.terminals }, async (_, i) => {
      const partner = partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true }));
      const webhooks = await startWebhookServer(partner.partner.webhookSecret);
      const random = seededRandom(seed + i + 1);
      const isPerfect = options.deploy !== undefined || i % IMPERFECT_OF > 0;
      const journal = (action: TerminalAction) => void actions.push(action);
      const terminal = startTerminal(partner.silent.client, { random, isPerfect, journal, count });
      if (options.deploy) await terminal.calm();
      const load = startLoad(partner, webhooks, { random, vouchers, isPerfect, count });
      return { webhooks, terminal, load, terminalId: partner.partner.terminals.silent.pointOfServiceID };
    }),
  );
  const promised = () => tills.flatMap(({ load }) => load.promised);
  const operator = startOperator(stack.file, { random: seededRandom(seed - 1), actions, count, sessions: promised });

  const began = performance.now();
  const { deployments, unread } = await disturb(disturbed);
  await Promise.all(tills.map(({ load }) => load.finish()));
  await Promise.all(tills.map(({ terminal }) => terminal.calm()));
  const faultsOver = performance.now();
  const forgotten = new Set(tills.flatMap(({ terminal }) => [...terminal.forgotten]));
  let moving: string | undefined = "not checked yet";
  const waits: Wait[] = [];
  let quietSince = Infinity;
  while (performance.now() - quietSince < QUIET_FOR_MS && performance.now() - faultsOver < QUIET_WITHIN_MS) {
    const checked = performance.now();
    moving = await notQuiet(stack.file, actions, forgotten);
    if (moving === undefined && !operator.isIdle()) moving = "the operator is at work";
    if (moving !== waits.at(-1)?.moving) waits.push({ moving, seconds: (checked - faultsOver) / 1000 });
    quietSince = moving === undefined ? Math.min(quietSince, checked) : Infinity;
    await sleep(500);
  }
  const quietAt = Math.min(quietSince, performance.now());
  await operator.leave();

  const alerts = await operator.allAlerts();
  const evidence = {
    promised: promised(),
    actions,
    webhooks: tills.flatMap(({ webhooks }) => webhooks.received),
    openAlerts: alerts.filter(({ status }) => status === "open"),
    forgotten,
    perfect: new Set(tills.flatMap(({ terminal, terminalId }) => (terminal.isPerfect ? [terminalId] : []))),
    polling: new Set(options.deploy ? tills.map(({ terminalId }) => terminalId) : []),
  };
  const { violations, stories, excuses, figures } = await check(stack.file, evidence);
  for (const { terminal, webhooks } of tills) await Promise.all([terminal.stop(), webhooks.close()]);
  return report(options, {
    payments: evidence.promised.length,
    seconds: { faults: (faultsOver - began) / 1000, untilQuiet: (quietAt - faultsOver) / 1000 },
    waits,
    kills: faults.kills,
    deployments,
    leftOut: disturbed.versions.leftOut,
    faults: faults.counts,
    actions: counts,
    figures,
    alerts,
    excuses,
    stories,
    wrong: [
      ...(moving === undefined ? [] : [`not quiet: ${moving}`]),
      ...tills.flatMap(({ load }) => load.mistakes),
      ...tills.flatMap(({ webhooks }) => webhooks.unverified.map((error) => `a webhook failed verification: ${error}`)),
      ...unread,
      ...violations,
    ],
  });
}

/** The code of a new voucher. A slow machine may respond 503 to some requests. */
async function voucherOf(shop: ReturnType<typeof webShopOn>): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return (await shop.token()).code;
    } catch (error) {
      if (tries === VOUCHER_TRIES) throw error;
      await sleep(1_000);
    }
  }
}

async function main(options: Options): Promise<boolean> {
  await buildApp();
  const directory = await mkdtemp(join(tmpdir(), "chaos-"));
  const faults = chaoticNetwork(seededRandom(options.seed));
  const versions = await versionsOf(options, directory);
  const hosts = rollingHosts(versions);
  try {
    const stack = await startStack({
      ports: "free",
      directory,
      hosts: 2,
      app: hosts.app,
      onAppLine: hosts.onAppLine,
      between: faults.between,
      ...(!options.deploy && { queueOverrides: { LockDuration: "PT5S", MaxDeliveryCount: 50 } }),
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
