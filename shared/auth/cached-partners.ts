import { msBetween, type Instant } from "../domain/time.ts";
import type { Clock } from "../ports/clock.ts";
import type { Partners } from "../ports/partners.ts";

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
  const kept = new Map<string, { value: T; at: Instant }>();
  return async (key) => {
    const now = clock.now();
    const found = kept.get(key);
    if (found && Math.abs(msBetween(found.at, now)) < KEEP_MS) return found.value;
    const value = await read(key);
    kept.delete(key);
    if (value !== undefined) {
      if (kept.size >= MAX_ENTRIES) kept.clear();
      kept.set(key, { value, at: now });
    }
    return value;
  };
}
