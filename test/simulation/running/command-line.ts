import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

export const usage = `npm run simulate -- [options]: the platform under seeded faults

  --seeds 20000        runs so many seeds (1,000), from 1 on or from --from
  --seed 17            runs one and prints its trace; with --mutant <name> it applies that mutant
  --mutants            breaks one rule of the product at a time, each until a seed from 1 to --seeds (5,000) catches it
  --mutants --record   does so within 20,000 seeds, and records the catching seeds in test/simulation/caught-at.json
  --mutants --around   breaks each rule only in the seeds around the recorded one, which takes seconds
  --restored           has the platform restored from an export in each of these seeds; else in one of twenty
  --jobs 2             uses so many threads (one for each core)
  --help               prints this

Exits with 1 when a rule was violated or a mutant was not caught, with 2 when the options are wrong.`;

/** What the command line requests. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly why: string }
  | { readonly kind: "seed"; readonly seed: number; readonly mutant: string | undefined; readonly restored: boolean }
  | {
      readonly kind: "seeds";
      readonly from: number;
      readonly seeds: number;
      readonly jobs: number;
      readonly restored: boolean;
    }
  | { readonly kind: "mutants"; readonly seeds: number; readonly record: boolean; readonly jobs: number }
  | { readonly kind: "around"; readonly jobs: number };

const value = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const options = {
  seeds: value,
  from: value,
  seed: value,
  mutant: value,
  jobs: value,
  mutants: flag,
  record: flag,
  around: flag,
  restored: flag,
  help: flag,
};
type Name = keyof typeof options;

/** The options that may be combined. */
const together: Record<"seed" | "seeds" | "mutants" | "around", readonly Name[]> = {
  seed: ["seed", "mutant", "restored"],
  seeds: ["seeds", "from", "jobs", "restored"],
  mutants: ["mutants", "seeds", "record", "jobs"],
  around: ["mutants", "around", "jobs"],
};

/** Reads the options. Unknown ones, values that are not numbers, and options of different commands are `wrong`. */
export function readCommand(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({ args: [...args], options });
    const { record = false, around = false, restored = false } = values;
    if (values.help) return { kind: "help" };
    const kind = values.seed !== undefined ? "seed" : !values.mutants ? "seeds" : around ? "around" : "mutants";
    const stray = (Object.keys(values) as Name[]).find((name) => !together[kind].includes(name));
    if (stray) throw new TypeError(`--${stray} does not go with these options`);

    const count = (name: "seeds" | "from" | "seed" | "jobs", otherwise: number): number => {
      const text = values[name] ?? String(otherwise);
      if (!/^[1-9]\d{0,14}$/.test(text)) throw new TypeError(`--${name} takes a number from 1 on, not "${text}"`);
      return Number(text);
    };
    const jobs = count("jobs", availableParallelism());
    switch (kind) {
      case "seed":
        return { kind, seed: count("seed", 1), mutant: values.mutant, restored };
      case "seeds":
        return { kind, from: count("from", 1), seeds: count("seeds", 1_000), jobs, restored };
      case "mutants":
        return { kind, seeds: count("seeds", record ? 20_000 : 5_000), record, jobs };
      case "around":
        return { kind, jobs };
    }
  } catch (error) {
    return { kind: "wrong", why: (error as Error).message };
  }
}
