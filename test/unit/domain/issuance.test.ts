import { describe, expect, it } from "vitest";
import { newShards, shardsOf, SHARDS, takenOf, takePlace, withLimits } from "../../../shared/domain/issuance.ts";

const [today, tomorrow] = ["2026-11-21", "2026-11-22"];
const limits = (mostADay: number, mostInAll: number) => ({ mostADay, mostInAll, mostPerDomain: 20 });

/** Takes places for this many requests, each beginning at a random shard. Returns how many got one, and the shards. */
function taking(shards: ReturnType<typeof newShards>, requests: number, used: number, day = today) {
  const now = [...shards];
  let got = 0;
  for (let n = 0; n < requests; n++) {
    for (let i = 0; i < used; i++) {
      const at = (n * 7 + i) % used;
      const shard = now[at];
      const place = shard && takePlace(shard, `${day} ${n} ${shards[0]?.taken}`, day);
      if (place?.kind !== "taken") continue;
      now[at] = place.shard;
      got++;
      break;
    }
  }
  return { got, shards: now };
}

describe("the places of a template", () => {
  it.each([
    [1, 1, 1],
    [10, 1_000, 1],
    [50, 1_000, 2],
    [199, 1_000, 7],
    [200, 200, 8],
    [1_003, 100_000, 8],
  ])("are as many as its limits: %i a day, %i in all, on %i shards", (mostADay, mostInAll, used) => {
    expect(shardsOf(limits(mostADay, mostInAll))).toBe(used);
    const first = taking(newShards(limits(mostADay, mostInAll), today), mostADay + 50, used);
    expect(first.got).toBe(Math.min(mostADay, mostInAll));
    const second = taking(first.shards, mostADay + 50, used, tomorrow);
    expect(first.got + second.got).toBe(Math.min(2 * mostADay, mostInAll));
    expect(takenOf(second.shards, tomorrow)).toEqual({ takenOfDay: second.got, taken: first.got + second.got });
  });

  it("never exceed the new limits after a change, or the number issued before", () => {
    let shards = newShards(limits(1_000, 5_000), today);
    let [issued, most] = [0, 0];
    for (const [mostADay, mostInAll] of [
      [1_000, 5_000],
      [300, 5_000],
      [700, 620],
      [20, 5_000],
      [900, 900],
    ] as const) {
      shards = withLimits(shards, limits(mostADay, mostInAll), today);
      const { got, shards: after } = taking(shards, 450, shardsOf(limits(mostADay, mostInAll)));
      most = Math.max(issued, Math.min(mostADay, mostInAll));
      expect(issued + got).toBeLessThanOrEqual(most);
      issued += got;
      shards = after;
    }
    expect(shards).toHaveLength(SHARDS);
    expect(takenOf(shards, today)).toEqual({ takenOfDay: issued, taken: issued });
    expect(issued).toBe(900);
  });

  it("do not begin a day again for a host whose clock is behind", () => {
    const [shard] = newShards(limits(1, 10), tomorrow);
    const place = shard && takePlace(shard, "a", tomorrow);
    expect(place?.kind === "taken" && takePlace(place.shard, "b", today)).toEqual({ kind: "none", limit: "day" });
  });

  it("report when four fifths are used, once for the day and once in total", () => {
    const near: unknown[] = [];
    let [shard] = newShards(limits(5, 10), today);
    for (const [n, day] of [today, today, today, today, today, tomorrow, tomorrow, tomorrow, tomorrow].entries()) {
      const place = shard && takePlace(shard, String(n), day);
      if (place?.kind !== "taken") throw new Error("no place");
      near.push(place.near);
      shard = place.shard;
    }
    const none = undefined;
    expect(near).toEqual([none, none, none, "day", none, none, none, "all", "day"]);
  });
});
