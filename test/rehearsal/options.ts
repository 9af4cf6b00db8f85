import { newScript, positiveNumber, someOf, wholeNumber, type Script } from "../../infra/script.ts";
import { troubleNames, type TroubleName } from "./trouble-names.ts";

/** The options of a rehearsal. */
export interface Options {
  readonly minutes: number;
  /** In the order in which they happen. */
  readonly trouble: readonly TroubleName[];
  readonly terminals: number;
  /** The same seed plans the same day, though processes race differently in each run. */
  readonly seed: number;
  /** The files for the page, in place of the one that the live page finds, and for its data. */
  readonly out: string | undefined;
  readonly json: string | undefined;
}

type Typed = Omit<Options, "seed" | "out" | "json"> & Partial<Options>;

/** The words of `npm run rehearse`. `anySeed` is the seed of a run that names none. */
export function rehearsalScript(run: (options: Options) => Promise<void>, anySeed: number): Script {
  return newScript(
    "npm run rehearse --",
    "Lives through some minutes of a shop's day with troubles of your choice, on the app as it is deployed, and writes a page about it.",
    [
      "npm run rehearse",
      "npm run rehearse -- --minutes 3 --trouble kill,two-versions",
      "npm run rehearse -- --out rehearsal.html --json rehearsal.json",
    ],
  )
    .option("--minutes <number>", "how long the day is", positiveNumber, 10)
    .option("--trouble <names>", `what goes wrong: ${troubleNames.join(",")}`, someOf(troubleNames), troubleNames)
    .option("--terminals <count>", "the terminals that take payments", wholeNumber, 12)
    .option("--seed <number>", "plans the day of this seed, not of any", wholeNumber)
    .option("--out <file>", "writes the page there, not to where the live page finds it")
    .option("--json <file>", "writes the page's data there")
    .action(({ minutes, trouble, terminals, seed, out, json }: Typed) =>
      run({ minutes, trouble, terminals, seed: seed ?? anySeed, out, json }),
    );
}
