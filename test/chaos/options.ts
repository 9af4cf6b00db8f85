import { parseArgs } from "node:util";

/** What a run of chaos is asked for. */
export interface Options {
  readonly minutes: number;
  readonly terminals: number;
  /** The same seed plans the same faults. */
  readonly seed: number;
}

/** Reads the command line. Throws a sentence that names the option where one is unknown or no positive number; seeds and terminals are whole. */
export function readOptions(args: readonly string[], anySeed: number): Options {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...args], options: { minutes: text, terminals: text, seed: text } });
  const positive = (name: keyof Options, otherwise: number): number => {
    const given = values[name];
    if (given === undefined) return otherwise;
    const number = Number(given);
    const isWhole = name === "minutes" || Number.isSafeInteger(number);
    if (!/^\d+(\.\d+)?$/.test(given) || number <= 0 || !isWhole)
      throw new Error(`--${name} ${given} is no positive ${name === "minutes" ? "number" : "whole number"}.`);
    return number;
  };
  return { minutes: positive("minutes", 1), terminals: positive("terminals", 28), seed: positive("seed", anySeed) };
}
