import type { Clock } from "../../ports/clock.ts";
import type { Terminals } from "../../stores/terminals.ts";
import { remembered } from "./remembered.ts";

const KEEP_MS = 10_000;

/**
 * Caches the terminals' keys for ten seconds. A replaced key stays valid for at most that long. Claim, status and heartbeat are read each
 * time.
 */
export const cachedTerminals = (terminals: Terminals, clock: Clock): Terminals => ({
  ...terminals,
  findKey: remembered((id) => terminals.findKey(id), clock, KEEP_MS),
});
