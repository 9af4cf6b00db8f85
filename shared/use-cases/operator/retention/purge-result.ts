import type { Day } from "../../../domain/time.ts";

/**
 * What became of one subject. `removed`: it is gone, and so is its entry. `later`: it is not old enough; it stands under a later day, and
 * needs this one no more. `stays`: it is old enough, and something of it waits. `looked through`: parts of it were removed, where there were
 * any.
 */
export interface PurgeResult {
  readonly outcome: "removed" | "later" | "stays" | "looked through";
  readonly rows: number;
  /** The later day, where it is not under that one yet. */
  readonly on?: Day;
}

export const STAYS: PurgeResult = { outcome: "stays", rows: 0 };
export const LATER: PurgeResult = { outcome: "later", rows: 0 };
export const removed = (rows: number): PurgeResult => ({ outcome: "removed", rows });
