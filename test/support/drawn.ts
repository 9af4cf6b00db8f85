import fc from "fast-check";
import { repeating, seed } from "../../infra/emulators/common/test/seed.ts";

// What tests draw is the same in every run. `TEST_SEED=random` draws anew, and `TEST_SEED=12345` draws what that seed gives. A failure
// says its seed, and the command that repeats it.

/** How fast-check draws with this seed, and what it throws. */
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
