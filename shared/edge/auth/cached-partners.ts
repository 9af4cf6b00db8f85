import type { Clock } from "../../ports/clock.ts";
import type { Partners } from "../../stores/partners.ts";
import { remembered } from "./remembered.ts";

const KEEP_MS = 60_000;

/** Caches partners and their keys for a minute. A revoked key stays valid for at most that long. Absence is not cached. */
export const cachedPartners = (partners: Partners, clock: Clock): Partners => ({
  ...partners,
  find: remembered((id) => partners.find(id), clock, KEEP_MS),
  findKey: remembered((id) => partners.findKey(id), clock, KEEP_MS),
});
