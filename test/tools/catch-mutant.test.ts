import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mutant } from "../simulation/mutants.ts";
import { bundleSimulation } from "../simulation/running/bundle.ts";
import { catchMutant, REACH, seedsAround, seedsUpTo } from "../simulation/running/catch-mutant.ts";
import { startSeedThread, type SeedThread } from "../simulation/running/seed-thread.ts";

const seedsOf = (chunks: Iterable<{ from: number; to: number }>) =>
  [...chunks].flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));

describe("the seeds of a mutant", () => {
  it("are all up to the last one, in short chunks", () => {
    expect(seedsOf(seedsUpTo(47))).toEqual(Array.from({ length: 47 }, (_, i) => i + 1));
    for (const { from, to } of seedsUpTo(47)) expect(to - from).toBeLessThan(REACH);
  });

  it("around a recorded one are that one first, and the nearest next", () => {
    expect(seedsOf(seedsAround(50, 3))).toEqual([50, 51, 49, 52, 48, 53, 47]);
    expect(seedsOf(seedsAround(2, 3))).toEqual([2, 3, 1, 4, 5]);
    expect(seedsOf(seedsAround(50))).toHaveLength(2 * REACH + 1);
  });
});

const inSimulate = (name: string, replace: string): Mutant => ({
  name,
  file: "test/simulation/simulate.ts",
  find: "  const world = createWorld(seed, write, days);\n",
  replace: `  const world = createWorld(seed, write, days);\n${replace}`,
});
const breaksARule = inSimulate("breaks a rule", 'if (seed === 4) world.violate("a rule", "in seed 4");');
const breaksDown = inSimulate("breaks down", 'if (seed === 4) throw new Error("no world");');
const rejectsAside = inSimulate("rejects aside", 'if (seed === 4) void Promise.reject(new Error("no reader"));');
const breaksNothing = inSimulate("breaks nothing", "");

describe("a mutant", () => {
  const threads: SeedThread[] = [];
  let healthy: SeedThread;

  async function aThread(mutant?: Mutant): Promise<SeedThread> {
    const thread = startSeedThread(await bundleSimulation(mutant));
    threads.push(thread);
    return thread;
  }

  beforeAll(async () => void (healthy = await aThread()));
  afterAll(async () => void (await Promise.all(threads.map((thread) => thread.stop()))));

  it("is caught in the seed whose rule it breaks, from either side of the seed", async () => {
    const caught = { caught: true, seed: 4, rule: "a rule", detail: "in seed 4" };
    expect(await catchMutant(breaksARule, healthy, seedsUpTo(20))).toEqual(caught);
    expect(await catchMutant(breaksARule, healthy, seedsAround(4))).toEqual(caught);
    expect(await catchMutant(breaksARule, healthy, seedsAround(6, 2))).toEqual(caught);
  });

  it("is not caught if its seed is out of reach, or if it breaks nothing", async () => {
    expect(await catchMutant(breaksARule, healthy, seedsAround(7, 2))).toEqual({ caught: false, seeds: 5 });
    expect(await catchMutant(breaksNothing, healthy, seedsAround(4, 2))).toEqual({ caught: false, seeds: 5 });
  });

  it("is not caught by a seed that breaks the same rule without it", async () => {
    expect(await catchMutant(breaksARule, await aThread(breaksARule), seedsUpTo(5))).toMatchObject({ caught: false });
  });

  it("is caught if the simulation crashes with it, unless it also crashes without it", async () => {
    const caught = { caught: true, seed: 4, rule: "nothing caught an error" };
    for (const mutant of [breaksDown, rejectsAside])
      expect(await catchMutant(mutant, healthy, seedsAround(3, 1))).toMatchObject(caught);
    expect(await catchMutant(breaksDown, await aThread(breaksDown), seedsAround(4))).toMatchObject({ caught: false });
  });
});
