import { parseArgs } from "node:util";

/** The options of a hostile run. It ends at the first limit that it reaches. */
export interface Options {
  readonly seed: number;
  readonly requests: number;
  /** Infinity where it is left out. */
  readonly seconds: number;
}

const REQUESTS = 100_000;

/** Reads the command line. Throws a sentence that names an unknown option, or one whose value is not a positive whole number. */
export function readOptions(args: readonly string[], anySeed: number): Options {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...args], options: { seed: text, requests: text, seconds: text } });
  const whole = (name: keyof Options, otherwise: number): number => {
    const given = values[name];
    if (given === undefined) return otherwise;
    const number = Number(given);
    if (!/^\d+$/.test(given) || number < 1 || !Number.isSafeInteger(number)) {
      throw new Error(`--${name} ${given} is no positive whole number.`);
    }
    return number;
  };
  const requests = whole("requests", values.seconds === undefined ? REQUESTS : Infinity);
  return { seed: whole("seed", anySeed), requests, seconds: whole("seconds", Infinity) };
}
