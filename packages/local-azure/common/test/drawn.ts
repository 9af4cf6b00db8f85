import fc from "fast-check";
import { repeating, seed } from "./seed.ts";

// Random test data is the same in every run. `TEST_SEED=random` draws new data, and `TEST_SEED=12345` uses that seed. A failure names its
// seed, and the command that repeats it.

/** Parameters for fast-check with this seed, and with the error that it throws. */
export const drawnWith = <T>(seed: number): fc.Parameters<T> => ({
  seed,
  reporter: (run: fc.RunDetails<T>) => {
    if (!run.failed) return;
    const said = `${fc.defaultReportMessage(run)}\n\nTo draw the same again: ${repeating(run.seed)}`;
    throw new Error(said, { cause: run.errorInstance });
  },
});

fc.configureGlobal(drawnWith(seed));

export { fc };
