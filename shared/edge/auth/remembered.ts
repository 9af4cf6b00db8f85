import type { Clock } from "../../ports/clock.ts";
import { expiringCache } from "./expiring-cache.ts";

const MAX_ENTRIES = 10_000;

/** Reads through a cache that keeps each value for `keepMs`. Absence is not cached. */
export function remembered<T>(
  read: (key: string) => Promise<T | undefined>,
  clock: Pick<Clock, "now">,
  keepMs: number,
): (key: string) => Promise<T | undefined> {
  const cache = expiringCache<T>(clock, { keepMs, maxEntries: MAX_ENTRIES });
  return async (key) => {
    const found = cache.get(key);
    if (found !== undefined) return found;
    const since = clock.now(); // the value may change while it is read
    const value = await read(key);
    if (value === undefined) cache.delete(key);
    else cache.set(key, value, since);
    return value;
  };
}
