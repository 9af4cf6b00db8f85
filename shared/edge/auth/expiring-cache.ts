import { msBetween, type Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";

/** Values by their keys, each kept for a limited time. */
export interface ExpiringCache<Value> {
  get(key: string): Value | undefined;
  /** `since` is when the value was known to be valid. `keepMs` counts from then. */
  set(key: string, value: Value, since: Instant): void;
  delete(key: string): void;
}

/**
 * A cache that drops each value after `keepMs`, and the oldest value beyond `maxEntries`. An entry that is more than `keepMs` in the future
 * also counts as expired, because the clock was set back.
 */
export function expiringCache<Value>(
  clock: Pick<Clock, "now">,
  { keepMs, maxEntries }: { readonly keepMs: number; readonly maxEntries: number },
): ExpiringCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly since: Instant }>(); // in the order of the writes
  return {
    get(key) {
      const entry = entries.get(key);
      return entry && Math.abs(msBetween(entry.since, clock.now())) < keepMs ? entry.value : undefined;
    },
    set(key, value, since) {
      entries.delete(key); // so that the key moves to the end
      entries.set(key, { value, since });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
    delete(key) {
      entries.delete(key);
    },
  };
}
