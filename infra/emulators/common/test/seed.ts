import { relative } from "node:path";
import { expect } from "vitest";

/** What the tests draw in every run that names no other seed, so that a test fails for a change and not by chance. */
const FIXED = 20_261_122;

/** The seed that `TEST_SEED` names, any other one for `random`, and the fixed one where it is not set. */
export function seedOf(said: string | undefined): number {
  if (said === undefined || said === "") return FIXED;
  if (said === "random") return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(said);
  if (seed !== (seed | 0)) throw new Error(`TEST_SEED is "random" or a whole number of 32 bits, not ${said}.`);
  return seed;
}

/** The seed of whatever this process draws. */
export const seed = seedOf(process.env["TEST_SEED"]);

/** The command that draws the same once more, in the file of the running test. */
export function repeating(seed: number): string {
  const command = `npx vitest run ${relative("", expect.getState().testPath ?? "")}`;
  return process.platform === "win32" ? `with TEST_SEED=${seed} set: ${command}` : `TEST_SEED=${seed} ${command}`;
}
