import type { Clock } from "../ports/clock.ts";
import type { Partners } from "../ports/partners.ts";
import { remembered } from "./remembered.ts";

const KEEP_MS = 60_000;

/** Partners and their keys, remembered for a minute: a revoked key works that much longer at most. What is absent is not kept. */
export const cachedPartners = (partners: Partners, clock: Clock): Partners => ({
  ...partners,
  find: remembered((id) => partners.find(id), clock, KEEP_MS),
  findKey: remembered((id) => partners.findKey(id), clock, KEEP_MS),
});
