import { describe, expect, it } from "vitest";
import { mutants } from "./mutants.ts";
import { bundleSimulation } from "./running/bundle.ts";
import { catchMutant, seedsUpTo } from "./running/catch-mutant.ts";
import { runSeeds } from "./running/run-seeds.ts";
import { startSeedThread } from "./running/seed-thread.ts";
import { simulate } from "./simulate.ts";

// A part of the simulation; the whole of it is `node test/simulation/main.ts --seeds 20000`, and `--mutants`.

describe("the platform under seeded faults", { timeout: 300_000 }, () => {
  it("keeps every promise in fifty worlds", async () => {
    const tally = await runSeeds(await bundleSimulation(), { seeds: 50, jobs: 1 });
    expect(tally.seeds).toBe(50);
    expect([...tally.broken]).toEqual([]);
    expect([...tally.endings.keys()]).toEqual(expect.arrayContaining(["captured", "voided", "cancelled", "expired"]));
    expect([...tally.alerts.keys()]).toEqual(expect.arrayContaining(["unwantedApproval"]));
  });

  it("lives the same life twice for the same seed", async () => {
    const traceOf = async (seed: number) => {
      const lines: string[] = [];
      await simulate(seed, { write: (line) => void lines.push(line) });
      return lines;
    };
    const first = await traceOf(7);
    expect(first.length).toBeGreaterThan(50);
    expect(await traceOf(7)).toEqual(first);
    expect(await traceOf(8)).not.toEqual(first);
  });

  it("notices a product that commits before it announces", async () => {
    const mutant = mutants.find(({ name }) => name === "commits before it announces");
    if (!mutant) throw new Error("there is no such mutant");
    const healthy = startSeedThread(await bundleSimulation());
    try {
      expect(await catchMutant(mutant, healthy, seedsUpTo(200))).toMatchObject({ caught: true });
    } finally {
      await healthy.stop();
    }
  });

  it("refuses a mutant whose text is not in the source", async () => {
    const rotten = {
      name: "rotten",
      file: "shared/use-cases/terminals/withdraw-message.ts",
      find: "no such words",
      replace: "",
    };
    await expect(bundleSimulation(rotten)).rejects.toThrow("0 times");
  });
});
