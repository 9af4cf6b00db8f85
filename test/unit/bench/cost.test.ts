import { describe, expect, it } from "vitest";
import { monthOf, type Fleet, type Rates } from "../../bench/month.ts";
import { costOf } from "../../bench/prices.ts";

describe("a price in tiers", () => {
  const price = { per: 2, tiers: [{ upTo: 10, usd: 0 }, { upTo: 20, usd: 2 }, { usd: 1 }] };

  it.each([
    [0, 0],
    [10, 0],
    [11, 1],
    [20, 10],
    [24, 12],
  ])("asks for %i what each part costs in its tier: %i", (amount, usd) => {
    expect(costOf(price, amount)).toBe(usd);
  });
});

describe("a month", () => {
  const rates: Rates = {
    tableCalls: 50,
    busOperations: 18,
    deliveries: 6,
    idleCalls: 0.5,
    instanceCalls: 20,
    pollSeconds: 20,
  };
  const fleet: Fleet = {
    terminals: 1_000,
    paymentsPerDay: 100,
    terminalsPerInstance: 300,
    instanceGigabytes: 2,
    kilobytesPerPayment: 10,
    monthsKept: 12,
  };
  const seconds = 30 * 24 * 3600;

  it("counts payments, and what terminals and instances call while nobody pays", () => {
    const { payments, instances, tableCalls, busOperations, executions } = monthOf(rates, fleet);
    expect(payments).toBe(3_000_000);
    expect(instances).toBe(4);
    expect(tableCalls).toBe(3_000_000 * 50 + (1_000 * 0.5 + 4 * 20) * seconds);
    expect(busOperations).toBe(3_000_000 * 18);
    expect(executions).toBe((1_000 * seconds) / 20 + 3_000_000 * (3 + 6));
  });

  it("is the sum of its parts, each of which costs something", () => {
    const { all, ...parts } = monthOf(rates, fleet).usd;
    expect(Math.min(...Object.values(parts))).toBeGreaterThan(0);
    expect(all).toBeCloseTo(Object.values(parts).reduce((sum, usd) => sum + usd, 0));
  });

  it("has two instances for a single terminal", () => {
    expect(monthOf(rates, { ...fleet, terminals: 1 }).instances).toBe(2);
  });
});
