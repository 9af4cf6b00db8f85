import type { Clock } from "../ports/clock.ts";
import type { Partners } from "../ports/partners.ts";
import { expiringCache } from "./expiring-cache.ts";

const KEEP_MS = 60_000;
const MAX_ENTRIES = 10_000;

/** Partners and their keys, remembered for a minute: a revoked key works that much longer at most. What is absent is not kept. */
export function cachedPartners(partners: Partners, clock: Clock): Partners {
  return {
    ...partners,
    find: remembered((id: string) => partners.find(id), clock),
    findKey: remembered((id: string) => partners.findKey(id), clock),
  };
}

function remembered<T>(
  read: (key: string) => Promise<T | undefined>,
  clock: Clock,
): (key: string) => Promise<T | undefined> {
  const cache = expiringCache<T>(clock, { keepMs: KEEP_MS, maxEntries: MAX_ENTRIES });
  return async (key) => {
    const found = cache.get(key);
    if (found !== undefined) return found;
    const since = clock.now(); // what is read may change while it is read
    const value = await read(key);
    if (value === undefined) cache.delete(key);
    else cache.set(key, value, since);
    return value;
  };
}
