import type { Clock } from "../ports/clock.ts";
import type { Terminals } from "../ports/terminals.ts";
import { remembered } from "./remembered.ts";

const KEEP_MS = 10_000;

/**
 * Terminals, of which what their keys are compared with is remembered for ten seconds: a key that was replaced works that much longer at
 * most. Claim, status and heartbeat are read each time.
 */
export const cachedTerminals = (terminals: Terminals, clock: Clock): Terminals => ({
  ...terminals,
  findKey: remembered((id) => terminals.findKey(id), clock, KEEP_MS),
});
