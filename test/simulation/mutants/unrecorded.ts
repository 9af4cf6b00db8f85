/**
 * Mutants without a recorded seed: the worlds have changed, and 300 seeds or more of the new ones caught none of these. `--mutants` runs
 * them as all others; `--mutants --record` records all once each is caught, and then this list has to be empty.
 */
export const unrecorded: ReadonlySet<string> = new Set([
  "accepts a late entry in an order's list after the payment's end",
]);
