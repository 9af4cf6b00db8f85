import { parseArgs } from "node:util";
import { troubleNames, type Trouble } from "./troubles.ts";

/** The options of a chaos run. */
export interface Options {
  readonly minutes: number;
  readonly terminals: number;
  /** One host switches to a later version when the faults begin, and the other when they are over. */
  readonly nextVersion: boolean;
  /** The only trouble of the dependencies, for the whole run; undefined for the mix of all faults. */
  readonly trouble: Trouble | undefined;
  /** The same seed plans the same faults. */
  readonly seed: number;
}

/**
 * Reads the command line. Throws a sentence that names an unknown option, or one whose value is not a positive number; seeds and terminals
 * are whole numbers.
 */
export function readOptions(args: readonly string[], anySeed: number): Options {
  const text = { type: "string" } as const;
  const options = {
    minutes: text,
    terminals: text,
    seed: text,
    trouble: text,
    "next-version": { type: "boolean", default: false },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const positive = (name: "minutes" | "terminals" | "seed", otherwise: number): number => {
    const given = values[name];
    if (given === undefined) return otherwise;
    const number = Number(given);
    const isWhole = name === "minutes" || Number.isSafeInteger(number);
    if (!/^\d+(\.\d+)?$/.test(given) || number <= 0 || !isWhole)
      throw new Error(`--${name} ${given} is no positive ${name === "minutes" ? "number" : "whole number"}.`);
    return number;
  };
  return {
    minutes: positive("minutes", 1),
    terminals: positive("terminals", 28),
    trouble: troubleNamed(values.trouble),
    nextVersion: values["next-version"],
    seed: positive("seed", anySeed),
  };
}

function troubleNamed(given: string | undefined): Trouble | undefined {
  const found = troubleNames.find((name) => name === given);
  if (given !== undefined && !found) throw new Error(`--trouble ${given} is none of ${troubleNames.join(", ")}.`);
  return found;
}
