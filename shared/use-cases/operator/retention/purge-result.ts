import type { Day } from "../../../domain/time.ts";

/**
 * The result of purging one subject.
 *
 * - `removed`: the subject is gone.
 * - `later`: it is not old enough. It has a mark of a later day, or gets one, and does not need this one.
 * - `stays`: it is old enough, but has not ended or is still needed.
 */
export interface PurgeResult {
  readonly outcome: "removed" | "later" | "stays";
  readonly rows: number;
  /** The later day, if the subject has no mark of it yet. */
  readonly on?: Day;
}

export const STAYS: PurgeResult = { outcome: "stays", rows: 0 };
export const LATER: PurgeResult = { outcome: "later", rows: 0 };
export const removed = (rows: number): PurgeResult => ({ outcome: "removed", rows });
