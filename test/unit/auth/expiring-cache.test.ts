import { describe, expect, it } from "vitest";
import { after } from "../../../shared/domain/time.ts";
import { expiringCache } from "../../../shared/edge/auth/expiring-cache.ts";

const start = "2026-11-21T10:00:00.000Z";

/** A cache of three entries, for a minute each, and its clock. */
function aCache() {
  const clock = { now: () => start };
  const cache = expiringCache<string>(clock, { keepMs: 60_000, maxEntries: 3 });
  const at = (seconds: number) => void (clock.now = () => after(start, seconds));
  const kept = () => ["a", "b", "c", "d"].filter((key) => cache.get(key) !== undefined);
  return { cache, at, kept };
}

describe("a cache", () => {
  it("keeps each value for its own time", () => {
    const { cache, at, kept } = aCache();
    cache.set("a", "1", start);
    cache.set("b", "2", after(start, 30));
    at(59.999);
    expect([cache.get("a"), cache.get("b")]).toEqual(["1", "2"]);
    at(60);
    expect(kept()).toEqual(["b"]);
    at(90);
    expect(kept()).toEqual([]);
  });

  it("counts from the time at which a value was valid, not from when it was set", () => {
    const { cache, at, kept } = aCache();
    at(50);
    cache.set("a", "1", start);
    expect(kept()).toEqual(["a"]);
    at(60);
    expect(kept()).toEqual([]);
  });

  it("does not outlive a clock that was set back", () => {
    const { cache, at, kept } = aCache();
    cache.set("a", "1", start);
    at(-60);
    expect(kept()).toEqual([]);
  });

  it("forgets the oldest when it is full, and no other", () => {
    const { cache, kept } = aCache();
    for (const key of ["a", "b", "c", "d"]) cache.set(key, key, start);
    expect(kept()).toEqual(["b", "c", "d"]);
  });

  it("treats a key that is set again as the newest, and drops no other for it", () => {
    const { cache, kept } = aCache();
    for (const key of ["a", "b", "c", "a"]) cache.set(key, key, start);
    expect(kept()).toEqual(["a", "b", "c"]);
    cache.set("d", "d", start);
    expect(kept()).toEqual(["a", "c", "d"]);
  });

  it("drops deleted values", () => {
    const { cache, kept } = aCache();
    cache.set("a", "1", start);
    cache.delete("a");
    expect(kept()).toEqual([]);
  });
});
