import type { Instant } from "../../../domain/time.ts";
import type { Partners } from "../../../stores/partners.ts";
import type { Retention } from "../../../stores/retention.ts";
import { retryOnConflict } from "../../outbox/retry-on-conflict.ts";

export interface PurgeEventsDeps {
  readonly partners: Pick<Partners, "list">;
  readonly retention: Pick<Retention, "countEvents" | "removeEvents">;
}

/** The head of a busy feed changes all the time, so its writers may be first many times. */
const MOST_TRIES = 25;

/** Counts the events of all feeds that were entered before this moment. Throws `Unavailable`. */
export async function countEvents({ partners, retention }: PurgeEventsDeps, before: Instant): Promise<number> {
  let count = 0;
  for (const partnerId of await partners.list()) count += await retention.countEvents(partnerId, before);
  return count;
}

/**
 * Removes the events of all feeds that were entered before this moment, group by group. May be interrupted and run again. Throws
 * `Unavailable`.
 */
export async function purgeEvents(
  { partners, retention }: PurgeEventsDeps,
  before: Instant,
): Promise<{ readonly removed: number; readonly rows: number }> {
  let [removed, rows] = [0, 0];
  for (const partnerId of await partners.list()) {
    for (let isDone = false; !isDone;) {
      const group = await retryOnConflict(() => retention.removeEvents(partnerId, before), MOST_TRIES);
      removed += group.events;
      rows += group.rows;
      isDone = group.events === 0;
    }
  }
  return { removed, rows };
}
