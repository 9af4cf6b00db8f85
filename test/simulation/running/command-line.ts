import { availableParallelism } from "node:os";
import { newScript, UsageError, wholeNumber, type Script } from "../../../infra/tools/script.ts";

/** The command that the command line requests. */
export type Command =
  | {
      readonly kind: "seed";
      readonly seed: number;
      readonly mutant: string | undefined;
      readonly restored: boolean;
      readonly days: number | undefined;
    }
  | {
      readonly kind: "seeds";
      readonly from: number;
      readonly seeds: number;
      readonly jobs: number;
      readonly restored: boolean;
      readonly days: number | undefined;
      readonly situations: boolean;
    }
  | { readonly kind: "mutants"; readonly seeds: number; readonly record: boolean; readonly jobs: number }
  | { readonly kind: "around"; readonly jobs: number };

interface Typed {
  readonly seeds?: number;
  readonly from?: number;
  readonly seed?: number;
  readonly mutant?: string;
  readonly jobs?: number;
  readonly mutants?: true;
  readonly record?: true;
  readonly around?: true;
  readonly restored?: true;
  readonly days?: number;
  readonly situations?: true;
}

/** The options that may be combined. */
const together: Readonly<Record<Command["kind"], readonly (keyof Typed)[]>> = {
  seed: ["seed", "mutant", "restored", "days"],
  seeds: ["seeds", "from", "jobs", "restored", "days", "situations"],
  mutants: ["mutants", "seeds", "record", "jobs"],
  around: ["mutants", "around", "jobs"],
};

/** The command line of `npm run simulate`. Options of different commands cannot be combined. */
export const simulationScript = (run: (command: Command) => Promise<void>): Script =>
  newScript("npm run simulate --", "Runs the platform under seeded faults, and checks every promise.", [
    "npm run simulate -- --seeds 10000",
    "npm run simulate -- --seed 17",
    'npm run simulate -- --seed 17 --mutant "refunds more than was captured"',
    "npm run simulate -- --mutants --around",
  ])
    .option("--seeds <count>", "runs so many seeds (1000), from 1 on or from --from", wholeNumber)
    .option("--from <seed>", "the first seed", wholeNumber)
    .option("--seed <number>", "runs one seed and prints its trace", wholeNumber)
    .option("--mutant <name>", "breaks this rule of the product in that seed")
    .option("--mutants", "breaks one rule at a time, each until a seed from 1 to --seeds (5000) catches it")
    .option("--record", "does so within 20000 seeds, and records the catching seeds in test/simulation/caught-at.json")
    .option("--around", "breaks each rule only in the seeds around the recorded one, which takes seconds")
    .option("--restored", "has the platform restored from an export in each of these seeds; else in one of twenty")
    .option(
      "--days <count>",
      "lets each of these worlds last so many days; else two of a hundred last 40, and the others 4",
      wholeNumber,
    )
    .option("--situations", "writes the situations that payments reached to test/unit/operator/situations.txt")
    .option("--jobs <count>", "uses so many threads (one for each core)", wholeNumber)
    .addHelpText("after", "\nExits with 1 when a rule was violated or a mutant was not caught.")
    .action((typed: Typed) => run(commandOf(typed)));

function commandOf(typed: Typed): Command {
  const { jobs = availableParallelism(), record = false, restored = false, situations = false, days } = typed;
  const kind = kindOf(typed);
  const stray = (Object.keys(typed) as (keyof Typed)[]).find((name) => !together[kind].includes(name));
  if (stray) throw new UsageError(`--${stray} does not go with these options.`);
  switch (kind) {
    case "seed":
      return { kind, seed: typed.seed ?? 1, mutant: typed.mutant, restored, days };
    case "seeds":
      return { kind, from: typed.from ?? 1, seeds: typed.seeds ?? 1_000, jobs, restored, days, situations };
    case "mutants":
      return { kind, seeds: typed.seeds ?? (record ? 20_000 : 5_000), record, jobs };
    case "around":
      return { kind, jobs };
  }
}

function kindOf({ seed, mutants, around }: Typed): Command["kind"] {
  if (seed !== undefined) return "seed";
  if (!mutants) return "seeds";
  return around ? "around" : "mutants";
}
