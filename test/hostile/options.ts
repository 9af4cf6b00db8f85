import { newScript, wholeNumber, type Script } from "../../infra/tools/script.ts";

/** The options of a hostile run. It ends at the first limit that it reaches. */
export interface Options {
  readonly seed: number;
  readonly requests: number;
  /** Infinity if it is left out. */
  readonly seconds: number;
}

const REQUESTS = 100_000;

/** The command line of `npm run hostile`. `anySeed` is the seed if the command line names none. */
export const hostileScript = (run: (options: Options) => Promise<void>, anySeed: number): Script =>
  newScript(
    "npm run hostile --",
    "Sends hostile requests, drawn from the OpenAPI documents, to the gateway and the functions host of a stack of its own.",
    ["npm run hostile -- --seconds 40", "npm run hostile -- --requests 2000 --seed 7"],
  )
    .option(
      "--requests <count>",
      `ends after so many (${REQUESTS}, without limit where --seconds is given)`,
      wholeNumber,
    )
    .option("--seconds <count>", "ends after so long", wholeNumber)
    .option("--seed <number>", "draws the requests of this seed, not of any", wholeNumber)
    .action(({ seed = anySeed, seconds, requests }: Partial<Options>) =>
      run({ seed, requests: requests ?? (seconds === undefined ? REQUESTS : Infinity), seconds: seconds ?? Infinity }),
    );
