import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildApp } from "../../infra/build.ts";
import { startStack } from "../../infra/local/stack.ts";
import { partnerOn } from "../support/partner.ts";
import { webShopOn } from "../support/web-shop.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { startWebhookServer } from "../support/webhook-server.ts";
import { chargesGivenBack, notQuiet, spentVouchers, violations } from "./checker.ts";
import { chaoticNetwork } from "./faults.ts";
import { startLoad } from "./load.ts";

// `npm run chaos -- --minutes 5 [--terminals 28] [--seed 1]`: the app as it is deployed, on the real SDKs, under load, while its
// hosts are killed and their network fails; then everybody's logs are held against each other. The same seed plans the same faults,
// though processes race each run anew.

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    terminals: { type: "string", default: "28" },
    seed: { type: "string" },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const minutes = Number(values.minutes);
const QUIET_WITHIN_MS = 240_000;
/** Few for so many payments: they race for them. */
const VOUCHERS = 40;

await buildApp();
const directory = await mkdtemp(join(tmpdir(), "chaos-"));
const random = seededRandom(seed);
const faults = chaoticNetwork(random);
const stack = await startStack({
  ports: "free",
  directory,
  hosts: 2,
  between: faults.between,
  // A dead host's locks would last a minute, and patience as in life would make quiet a long time coming.
  queueOverrides: { LockDuration: "PT5S", MaxDeliveryCount: 50 },
  settings: {
    ACCEPTANCE_SECONDS: "15",
    EXPIRY_SECONDS: "30",
    ANSWER_SECONDS: "10",
    OUTCOME_SECONDS: "20",
    COMMIT_WINDOW_SECONDS: "8",
    LEASE_SECONDS: "3",
  },
});
try {
  const partners = await Promise.all(
    Array.from({ length: Number(values.terminals) }, async () =>
      partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true })),
    ),
  );
  const servers = await Promise.all(partners.map(({ partner }) => startWebhookServer(partner.webhookSecret)));
  const shop = webShopOn(stack.file);
  const vouchers = await Promise.all(Array.from({ length: VOUCHERS }, async () => (await shop.token()).code));
  const loads = partners.flatMap((partner, i) => {
    const server = servers[i];
    return server ? [startLoad(partner, server, { random: seededRandom(seed + i + 1), vouchers })] : [];
  });
  const began = performance.now();
  await faults.rage(stack, minutes * 60_000);
  await Promise.all(loads.map((load) => load.finish()));
  const raged = performance.now() - began;

  let moving: string | undefined = "not looked yet";
  const quietBegan = performance.now();
  while (moving && performance.now() - quietBegan < QUIET_WITHIN_MS) {
    moving = await notQuiet(
      stack.file,
      loads.flatMap((load) => load.deeds),
    );
    if (moving) await sleep(500);
  }
  const evidence = {
    promised: loads.flatMap((load) => load.promised),
    deeds: loads.flatMap((load) => load.deeds),
    webhooks: servers.flatMap((server) => server.received),
  };
  const wrong = [
    ...(moving ? [`no quiet: ${moving}`] : []),
    ...servers.flatMap((server) => server.unverified.map((error) => `a webhook that does not verify: ${error}`)),
    ...(await violations(stack.file, evidence)),
  ];
  for (const load of loads) await load.stopTerminal();
  for (const server of servers) await server.close();

  const payments = evidence.promised.length;
  console.log(
    `seed ${seed}: ${payments} payments in ${Math.round(raged / 1000)} s under ${faults.kills.join(" and ")} kills of the two hosts, quiet ${Math.round((performance.now() - quietBegan) / 1000)} s later`,
  );
  for (const [what, n] of Object.entries(faults.counts)) console.log(`  ${String(n).padStart(6)}  ${what}`);
  console.log(`  ${String(evidence.webhooks.length).padStart(6)}  webhooks received`);
  console.log(`  ${String(await spentVouchers(stack.file)).padStart(6)}  vouchers spent, of ${VOUCHERS}`);
  console.log(`  ${String(await chargesGivenBack(stack.file)).padStart(6)}  charges given back`);
  console.log(
    wrong.length === 0
      ? `no violation in ${payments} payments: under ${(300 / payments || 0).toFixed(2)} % at 95 % confidence`
      : `${wrong.length} violations:`,
  );
  for (const violation of wrong.slice(0, 40)) console.log(`  ${violation}`);
  process.exitCode = wrong.length === 0 && payments > 0 ? 0 : 1;
} finally {
  await stack.stop();
  await faults.close();
  await rm(directory, { recursive: true, force: true });
}
