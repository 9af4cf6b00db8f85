import { mutants } from "./mutants.ts";
import { bundleSimulation } from "./running/bundle.ts";
import { readCommand, usage, type Command } from "./running/command-line.ts";
import { allMutants, recordedMutants } from "./running/mutant-commands.ts";
import { runSeeds } from "./running/run-seeds.ts";
import { startSeedThread } from "./running/seed-thread.ts";
import { report } from "./running/tally.ts";

type Named<Kind extends Command["kind"]> = Extract<Command, { kind: Kind }>;

process.exitCode = await run(readCommand(process.argv.slice(2)));

async function run(command: Command): Promise<number> {
  switch (command.kind) {
    case "help":
      console.log(usage);
      return 0;
    case "wrong":
      console.error(`${command.why}\n\n${usage}`);
      return 2;
    case "seed":
      return oneSeed(command);
    case "seeds":
      return allSeeds(command);
    case "mutants":
      return (await allMutants(command)) ? 0 : 1;
    case "around":
      return (await recordedMutants(command)) ? 0 : 1;
  }
}

async function oneSeed({ seed, mutant: name, restored }: Named<"seed">): Promise<number> {
  const mutant = mutants.find((m) => m.name === name);
  if (name !== undefined && !mutant) return run({ kind: "wrong", why: `no mutant is called "${name}"` });
  const thread = startSeedThread(await bundleSimulation(mutant));
  try {
    const [result] = await thread.live({ from: seed, to: seed, traced: true, restored });
    for (const line of result?.trace ?? []) console.log(line);
    return result?.violations.length === 0 ? 0 : 1;
  } finally {
    await thread.stop();
  }
}

async function allSeeds(range: Named<"seeds">): Promise<number> {
  const script = await bundleSimulation();
  const started = performance.now();
  const tally = await runSeeds(script, range);
  for (const line of report(tally, (performance.now() - started) / 1000)) console.log(line);
  return tally.badSeeds.size === 0 ? 0 : 1;
}
