import { expect, it } from "vitest";
import { workers } from "../../functions/workers.ts";
import { callsOfPayment } from "../bench/calls.ts";
import { currentCosts } from "../bench/costs-page.ts";
import { assumed, costOfMonth, environments, everywhere, measured } from "../bench/deployment-cost.ts";
import { costOf } from "../bench/prices.ts";
import { read } from "../support/pages.ts";

it("the costs are computed from a payment's present calls (else: correct them, then npm run costs)", async () => {
  const steps = await callsOfPayment();
  expect({
    tableCalls: steps.flatMap(({ calls }) => calls).length,
    sends: steps.flatMap(({ sends }) => sends).length,
    deliveries: steps.reduce((sum, { deliveries }) => sum + deliveries, 0),
  }).toEqual({ tableCalls: measured.tableCalls, sends: measured.sends, deliveries: measured.deliveries });
});

it("docs/costs.md has the computed tables (else: npm run costs), and docs/deploy.md no figures of its own", () => {
  expect(read("docs/costs.md")).toBe(currentCosts(read("docs/costs.md")));
  const [, section = ""] = /^## What it costs\n([\s\S]*?)^## /m.exec(read("docs/deploy.md")) ?? [];
  expect(section).toContain("(costs.md)");
  expect(section).not.toMatch(/\d/);
});

/** The declaration of an environment in environments.bicep. */
const declared = (name: string) =>
  new RegExp(`^var ${name} environment = \\{$.*?^\\}$`, "ms").exec(read("infra/azure/environments.bicep"))?.[0];

it("the costs are those of the instances and tiers in the environments", () => {
  for (const [name, { ready, exportsKept, sampling }] of Object.entries(environments)) {
    const text = declared(name) ?? "";
    const counts = [...text.matchAll(/instanceCount: (\d+) /g)].map(([, count]) => Number(count));
    const kept = text.includes("zoneRedundant: true") ? 2 * (1 + workers.length) : 0; // HTTP functions scale together
    expect(
      Math.max(
        kept,
        counts.reduce((sum, count) => sum + count, 0),
      ),
    ).toBe(ready);
    expect(text).toContain(`removedAfterDays: ${exportsKept},`);
    expect(text).toContain(`gatewaySampling: { standard: ${sampling.standard}, terminals: ${sampling.terminals} }`);
    if (kept > 0) expect(text).toContain(`bills them: ${ready} in all.`);
  }
  expect(declared("prod")).toContain("gatewaySku: 'StandardV2'");
  expect(declared("dev")).toContain("gatewaySku: 'BasicV2'");
  expect(read("infra/azure/modules/functions.bicep")).toContain(`perInstanceConcurrency: ${assumed.pollsOfInstance}`);
});

it("the costs are those of the configured zones, availability test, alerts and sampling of the host", () => {
  expect(read("infra/azure/modules/zones.bicep").match(/: 'privatelink\./g)).toHaveLength(
    environments.prod.privateZones,
  );
  expect(read("host.json")).toContain(`"maxTelemetryItemsPerSecond": ${everywhere.callsKept},`);
  const alerts = read("infra/azure/modules/alerts.bicep");
  expect(alerts).toContain(`Frequency: ${everywhere.webTest.everySeconds}\n`);
  expect(alerts.match(/\{ Id: '[\w-]+' \}/g)).toHaveLength(everywhere.webTest.locations);
  const written = alerts.match(/^resource \w+ 'Microsoft\.Insights\/metricAlerts@[\w-]+' = \{$/gm) ?? [];
  const learning = alerts.match(/'DynamicThresholdCriterion'/g) ?? [];
  expect(written.length + learning.length).toBe(everywhere.otherSeries);
});

it.each([
  ["dev", 1, 0],
  ["prod", 1_000, 1e6],
] as const)(
  "the budget of %s first calls above a month with %i terminals and %i payments",
  (name, terminals, payments) => {
    const [, budget] = /^  monthlyBudget: (\d+)/m.exec(declared(name) ?? "") ?? [];
    const [, percent] =
      /threshold: (\d+)\n\s+thresholdType: 'Forecasted'/.exec(read("infra/azure/modules/alerts.bicep")) ?? [];
    expect((Number(budget) * Number(percent)) / 100).toBeGreaterThan(costOfMonth(name, terminals, payments).all);
  },
);

it("a month costs more with more payments, and the bus changes its tier if the standard one would be throttled", () => {
  const [few, some, many] = [1e4, 1e6, 1e8].map((payments) => costOfMonth("prod", 1_000, payments));
  expect(few?.all).toBeLessThan(some?.all ?? 0);
  expect(some?.all).toBeLessThan(many?.all ?? 0);
  expect(some?.bus).toBeLessThan(50);
  expect(many?.bus).toBeGreaterThan(1_000);
});

it.each([
  [0, 0],
  [10, 0],
  [11, 1],
  [20, 10],
  [24, 12],
])("a price in tiers charges for %i what each part costs in its tier: %i", (amount, usd) => {
  expect(costOf({ per: 2, tiers: [{ upTo: 10, usd: 0 }, { upTo: 20, usd: 2 }, { usd: 1 }] }, amount)).toBe(usd);
});
