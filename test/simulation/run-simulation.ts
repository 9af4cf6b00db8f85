import { runScript, UsageError } from "../../infra/tools/script.ts";
import { mutants } from "./mutants.ts";
import { bundleSimulation } from "./running/bundle.ts";
import { simulationScript, type Command } from "./running/command-line.ts";
import { allMutants, recordedMutants } from "./running/mutant-commands.ts";
import { runSeeds } from "./running/run-seeds.ts";
import { startSeedThread } from "./running/seed-thread.ts";
import { missingSituations, writeSituations } from "./running/situations.ts";
import { report } from "./running/tally.ts";

type Named<Kind extends Command["kind"]> = Extract<Command, { kind: Kind }>;

/** Resolves with whether every promise was kept. */
async function run(command: Command): Promise<boolean> {
  switch (command.kind) {
    case "seed":
      return oneSeed(command);
    case "seeds":
      return allSeeds(command);
    case "mutants":
      return allMutants(command);
    case "around":
      return recordedMutants(command);
  }
}

async function oneSeed({ seed, mutant: name, restored, days }: Named<"seed">): Promise<boolean> {
  const mutant = mutants.find((m) => m.name === name);
  if (name !== undefined && !mutant) throw new UsageError(`No mutant is called "${name}".`);
  const thread = startSeedThread(await bundleSimulation(mutant));
  try {
    const [result] = await thread.live({ from: seed, to: seed, traced: true, restored, days });
    for (const line of result?.trace ?? []) console.log(line);
    return result?.violations.length === 0;
  } finally {
    await thread.stop();
  }
}

async function allSeeds(range: Named<"seeds">): Promise<boolean> {
  const script = await bundleSimulation();
  const started = performance.now();
  const tally = await runSeeds(script, range);
  for (const line of report(tally, (performance.now() - started) / 1000)) console.log(line);
  if (range.situations) await writeSituations(tally.situations);
  else if (tally.badSeeds.size === 0) for (const line of await missingSituations(tally.situations)) console.log(line);
  return tally.badSeeds.size === 0;
}

export const script = simulationScript(async (command) => {
  process.exitCode = (await run(command)) ? 0 : 1;
});

if (import.meta.main) await runScript(script);
