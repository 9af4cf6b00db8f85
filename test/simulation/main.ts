import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { mutants, type Mutant } from "./mutants.ts";
import { bundleSimulation } from "./running/bundle.ts";
import { catchMutant } from "./running/catch-mutant.ts";
import { runSeeds } from "./running/run-seeds.ts";
import { startSeedThread } from "./running/seed-thread.ts";
import { report } from "./running/tally.ts";

// The platform under seeded faults:
//   --seeds 20000            lives through so many seeds, from 1 on or from --from
//   --seed 17                lives through one and tells all of it; with --mutant <name> with that mutant in it
//   --mutants                breaks one rule of the product at a time, each until it is caught within --seeds
//   --jobs 2                 on so many threads
// Exits with 1 when a rule was broken, or a mutant was not caught.

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    mutant: { type: "string" },
    mutants: { type: "boolean", default: false },
    jobs: { type: "string" },
  },
});
const jobs = Number(values.jobs ?? availableParallelism());

function mutantNamed(name: string): Mutant {
  const found = mutants.find((m) => m.name === name);
  if (!found) throw new Error(`no mutant is called "${name}"`);
  return found;
}

async function allSeeds(seeds: number): Promise<boolean> {
  const script = await bundleSimulation();
  const started = performance.now();
  const tally = await runSeeds(script, { from: Number(values.from), seeds, jobs });
  for (const line of report(tally, (performance.now() - started) / 1000)) console.log(line);
  return tally.badSeeds.size === 0;
}

async function allMutants(seeds: number): Promise<boolean> {
  const script = await bundleSimulation();
  const waiting = [...mutants];
  let survivors = 0;
  async function work(): Promise<void> {
    const healthy = startSeedThread(script);
    try {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const result = await catchMutant(mutant, healthy, seeds);
        if (!result.caught) survivors++;
        const how = result.caught ? `seed ${result.seed}: ${result.by}` : `SURVIVED ${result.seeds} seeds`;
        console.log(`${mutant.name.padEnd(52)} ${how}`);
      }
    } finally {
      await healthy.stop();
    }
  }
  await Promise.all(Array.from({ length: jobs }, work));
  console.log(`${mutants.length - survivors} of ${mutants.length} mutants caught`);
  return survivors === 0;
}

async function oneSeed(seed: number): Promise<boolean> {
  const mutant = values.mutant === undefined ? undefined : mutantNamed(values.mutant);
  const thread = startSeedThread(await bundleSimulation(mutant));
  try {
    const [result] = await thread.live({ from: seed, to: seed, traced: true });
    for (const line of result?.trace ?? []) console.log(line);
    return result?.violations.length === 0;
  } finally {
    await thread.stop();
  }
}

const passed =
  values.seed !== undefined
    ? await oneSeed(Number(values.seed))
    : values.mutants
      ? await allMutants(Number(values.seeds ?? 5_000))
      : await allSeeds(Number(values.seeds ?? 1_000));
process.exitCode = passed ? 0 : 1;
