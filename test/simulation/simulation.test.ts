import { describe, expect, it } from "vitest";
import { bundleSimulation } from "./running/bundle.ts";
import { runSeeds } from "./running/run-seeds.ts";
import { simulate } from "./simulate.ts";

// A part of the simulation. The whole simulation is `node test/simulation/run-simulation.ts --seeds 20000`, and `--mutants`.

describe("the platform under seeded faults", () => {
  it("keeps every promise in twenty worlds", async () => {
    // Twenty seeds in which payments end in each of these ways, and an unwanted approval raises an alert.
    const tally = await runSeeds(await bundleSimulation(), { from: 59, seeds: 20, jobs: 1 });
    expect(tally.seeds).toBe(20);
    const broken = [...tally.broken].map(
      ([rule, { firstSeed, detail }]) => `${rule}: ${detail} (npm run simulate -- --seed ${firstSeed})`,
    );
    expect(broken).toEqual([]);
    expect([...tally.endings.keys()]).toEqual(expect.arrayContaining(["captured", "voided", "cancelled", "expired"]));
    expect([...tally.alerts.keys()]).toEqual(expect.arrayContaining(["unwantedApproval"]));
  });

  it("runs identically twice for the same seed", async () => {
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

  it("refuses a mutant whose text is not in the source", async () => {
    const rotten = {
      name: "rotten",
      file: "shared/use-cases/terminals/release-message.ts",
      find: "no such words",
      replace: "",
    };
    await expect(bundleSimulation(rotten)).rejects.toThrow("0 times");
  });
});
