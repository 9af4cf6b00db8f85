import { storableDetail } from "../../domain/alert.ts";
import { shardsOf, takePlace as take, type Issuance } from "../../domain/issuance.ts";
import { newestVersion } from "../../ports/stored-forms.ts";
import { dayOf, type Instant } from "../../domain/time.ts";
import type { StoredIssuance } from "../../stores/access-token-templates.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Needs } from "../needs.ts";

export type TakePlaceDeps = Needs<"accessTokenTemplates" | "bareAlerts">;

/**
 * Takes one of the template's places of today for the request. A repeated request finds its own place. False if no place is left. This is
 * noted, so that later requests are refused at once. A place is never given back. If the token is not issued after all, the place is
 * wasted, but the limit is not exceeded. Throws `Conflict` if another worker took a place of the same shard, and `Unavailable`.
 */
export async function takePlace(
  deps: TakePlaceDeps,
  read: StoredIssuance,
  requestId: string,
  now: Instant,
): Promise<boolean> {
  const { issuance } = read;
  const today = dayOf(now);
  const used = shardsOf(issuance);
  const first = Number.parseInt(requestId.slice(-4), 16) || 0; // spreads requests over the shards
  let limit: "day" | "all" = "all";
  for (let i = 0; i < used; i++) {
    const stored = await deps.accessTokenTemplates.findShard(issuance.templateId, (first + i) % used);
    const place = take(stored.shard, requestId, today);
    if (place.kind === "own") return true;
    if (place.kind === "taken") {
      // The alert comes first. After a crash between the two steps it is repeated, and counts once by its cause.
      if (place.near) await callNear(deps, issuance, place.near, now);
      await deps.accessTokenTemplates.saveShard(issuance.templateId, { shard: place.shard, etag: stored.etag });
      return true;
    }
    if (place.limit === "day") limit = "day";
  }
  await noteReached(deps, read, limit, now);
  return false;
}

/** Calls an operator. The alert counts once a day for the daily limit, and once for the limit in all. */
async function callNear(
  { bareAlerts }: TakePlaceDeps,
  { templateId, mostADay, mostInAll }: Issuance,
  near: "day" | "all",
  at: Instant,
): Promise<void> {
  const which = near === "day" ? `${mostADay} a day` : `${mostInAll} in all`;
  await bareAlerts.send({
    v: newestVersion,
    raised: {
      subject: { kind: "platform" },
      kind: "tokenLimitNear",
      about: templateId,
      detail: storableDetail(`the limit of ${which} is nearly reached`),
      cause: near === "day" ? dayOf(at) : `all~${mostInAll}`,
      at,
    },
  });
}

async function noteReached(
  { accessTokenTemplates }: TakePlaceDeps,
  read: StoredIssuance,
  limit: "day" | "all",
  now: Instant,
): Promise<void> {
  const { reached: known } = read.issuance;
  const reached = { limit, on: dayOf(now) };
  if (known?.limit === reached.limit && known.on === reached.on) return;
  try {
    await accessTokenTemplates.saveIssuance({ ...read.issuance, reached, updatedAt: now }, read);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error; // an operator or another worker changed it: the next request looks again
  }
}
