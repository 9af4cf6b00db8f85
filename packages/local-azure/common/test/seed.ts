import { relative } from "node:path";
import { expect } from "vitest";

/** The seed of every run that names no other, so that a test fails because of a change and not by chance. */
const FIXED = 20_261_122;

/** The seed that `TEST_SEED` names. `random` means a random seed. If it is not set, the fixed seed. */
export function seedOf(said: string | undefined): number {
  if (said === undefined || said === "") return FIXED;
  if (said === "random") return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(said);
  if (seed !== (seed | 0)) throw new Error(`TEST_SEED is "random" or a whole number of 32 bits, not ${said}.`);
  return seed;
}

/** The seed of all random values of this process. */
export const seed = seedOf(process.env["TEST_SEED"]);

/** The command that repeats the running test's file with this seed. */
export function repeating(seed: number): string {
  const command = `npx vitest run ${relative("", expect.getState().testPath ?? "")}`;
  return process.platform === "win32" ? `with TEST_SEED=${seed} set: ${command}` : `TEST_SEED=${seed} ${command}`;
}
