import type { Day } from "../../../domain/time.ts";

/**
 * The result of purging one subject.
 *
 * - `removed`: the subject and its entry are gone.
 * - `later`: it is not old enough. It is listed under a later day and does not need this entry.
 * - `stays`: it is old enough, but has not ended or is still needed.
 * - `looked through`: its old parts, if any, were removed.
 */
export interface PurgeResult {
  readonly outcome: "removed" | "later" | "stays" | "looked through";
  readonly rows: number;
  /** The later day, if the subject is not listed under it yet. */
  readonly on?: Day;
}

export const STAYS: PurgeResult = { outcome: "stays", rows: 0 };
export const LATER: PurgeResult = { outcome: "later", rows: 0 };
export const removed = (rows: number): PurgeResult => ({ outcome: "removed", rows });
