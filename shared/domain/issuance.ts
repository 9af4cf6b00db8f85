import * as z from "zod";
import type { RecordOf } from "./record.ts";
import { day, uncheckedInstant, type Day, type Instant } from "./time.ts";

/** The creators of a template's landing pages. */
export const pageCreators = ["requests", "operators"] as const;

/** The limits and users of a template. An operator may change them at any time, and every request and worker reads them anew. */
export const issuanceRecord = z.object({
  templateId: z.string(),
  status: z.enum(["active", "stopped"]),
  /** The most tokens in one UTC day. */
  mostADay: z.int(),
  mostInAll: z.int(),
  /** The most tokens within 24 hours for the addresses of one domain. */
  mostPerDomain: z.int(),
  /** If `operators`, a request for an unknown page is refused. */
  pages: z.enum(pageCreators),
  /** The consumer users whose requests are accepted. */
  users: z.array(z.string()),
  /** The limit that was reached, and on which day. Requests are then refused at once. For a day's limit, this ends with that day. */
  reached: z.object({ limit: z.enum(["day", "all"]), on: day }).optional(),
  updatedAt: uncheckedInstant,
});
export interface Issuance extends RecordOf<typeof issuanceRecord> {}
export type IssuanceLimits = Pick<Issuance, "mostADay" | "mostInAll" | "mostPerDomain">;

/** The bounds of the limits. The record of a domain's tokens holds each of them, and must fit one row. */
export const mostOfLimits = { mostADay: 1_000_000, mostInAll: 100_000_000, mostPerDomain: 2_000 } as const;

/**
 * One share of a template's limits. A worker that takes a place writes only its shard, so that several can issue at the same moment. The
 * sum of the shards never exceeds a limit.
 */
export const issuanceShardRecord = z.object({
  shard: z.int(),
  /** The UTC day of `takenOfDay` and `mostOfDay`. */
  day,
  takenOfDay: z.int(),
  mostOfDay: z.int(),
  /** The share of each later day. */
  mostADay: z.int(),
  taken: z.int(),
  mostInAll: z.int(),
  /** The requests that took the latest places, the newest last. */
  latest: z.array(z.string()),
});
export interface IssuanceShard extends RecordOf<typeof issuanceShardRecord> {}

export const SHARDS = 8;
/** A limit with fewer places than this for each shard uses fewer shards. */
const LEAST_SHARE = 25;
/** A repeated request finds its own place among this many latest requests. */
const LATEST = 64;
/** An operator is alerted at this part of a limit, before it is reached. */
const NEAR = 0.8;

/** The number of shards that have places. */
export const shardsOf = ({ mostADay, mostInAll }: IssuanceLimits): number =>
  Math.max(1, Math.min(SHARDS, Math.floor(Math.min(mostADay, mostInAll) / LEAST_SHARE)));

/** The shards of a template that has issued nothing. */
export const newShards = (limits: IssuanceLimits, today: Day): IssuanceShard[] => {
  const empty = { day: today, takenOfDay: 0, mostOfDay: 0, mostADay: 0, taken: 0, mostInAll: 0, latest: [] };
  return withLimits(
    Array.from({ length: SHARDS }, (_, shard) => ({ shard, ...empty })),
    limits,
    today,
  );
};

/**
 * The shards under new limits. The remaining places, today and in all, are divided anew. If more was issued than a limit allows, no place
 * remains.
 */
export function withLimits(shards: readonly IssuanceShard[], limits: IssuanceLimits, today: Day): IssuanceShard[] {
  const now = shards.map((shard) => onDay(shard, today));
  const { takenOfDay, taken } = takenOf(now, today);
  const used = shardsOf(limits);
  const share = (places: number, i: number) =>
    i < used ? Math.floor(Math.max(0, places) / used) + (i < Math.max(0, places) % used ? 1 : 0) : 0;
  return now.map((shard, i) => ({
    ...shard,
    mostOfDay: shard.takenOfDay + share(limits.mostADay - takenOfDay, i),
    mostADay: share(limits.mostADay, i),
    mostInAll: shard.taken + share(limits.mostInAll - taken, i),
  }));
}

/** The places taken, on this day and in all. */
export const takenOf = (shards: readonly IssuanceShard[], today: Day) => ({
  takenOfDay: shards.reduce((sum, shard) => sum + onDay(shard, today).takenOfDay, 0),
  taken: shards.reduce((sum, shard) => sum + shard.taken, 0),
});

/** A day begins with none of its places taken. A host whose clock is behind counts on the day that another host began. */
const onDay = (shard: IssuanceShard, today: Day): IssuanceShard =>
  today > shard.day ? { ...shard, day: today, takenOfDay: 0, mostOfDay: shard.mostADay } : shard;

export type Place =
  | { readonly kind: "own" }
  | { readonly kind: "none"; readonly limit: "day" | "all" }
  | { readonly kind: "taken"; readonly shard: IssuanceShard; readonly near?: "day" | "all" };

/**
 * Takes a place of the shard for the request. `own`: the request already has a place. `near`: with this place, a limit is nearly reached.
 */
export function takePlace(shard: IssuanceShard, requestId: string, today: Day): Place {
  if (shard.latest.includes(requestId)) return { kind: "own" };
  const now = onDay(shard, today);
  if (now.taken >= now.mostInAll) return { kind: "none", limit: "all" };
  if (now.takenOfDay >= now.mostOfDay) return { kind: "none", limit: "day" };
  const takenOfDay = now.takenOfDay + 1;
  const taken = now.taken + 1;
  const isNear = (count: number, most: number) => count === Math.ceil(most * NEAR);
  const near = isNear(taken, now.mostInAll) ? "all" : isNear(takenOfDay, now.mostOfDay) ? "day" : undefined;
  return {
    kind: "taken",
    shard: { ...now, takenOfDay, taken, latest: [...now.latest, requestId].slice(-LATEST) },
    ...(near && { near }),
  };
}

/** Why the template issues nothing now. Undefined if it may issue. */
export function whyNotIssuing(
  { status, reached }: Issuance,
  today: Day,
): "templateStopped" | "limitReached" | undefined {
  if (status === "stopped") return "templateStopped";
  const isReached = reached && (reached.limit === "all" || reached.on >= today);
  return isReached ? "limitReached" : undefined;
}

/** The issuance of a new template. */
export const newIssuance = (
  given: Omit<Issuance, "status" | "reached" | "updatedAt">,
  updatedAt: Instant,
): Issuance => ({ ...given, status: "active", updatedAt });
