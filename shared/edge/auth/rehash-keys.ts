import type { Clock } from "../../ports/clock.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Log, ScopeNames } from "../../ports/log.ts";
import { loggedError } from "../../ports/logged-error.ts";
import type { KeyHash } from "../../stores/partners.ts";
import { hashKey, type KeyOwner, type Peppers } from "./credentials.ts";
import { expiringCache } from "./expiring-cache.ts";

/** A key that has proved its caller. */
export interface ProvenKey {
  /** Names the key within the process. */
  readonly name: string;
  readonly owner: KeyOwner;
  /** The owner of the key, for the log. */
  readonly of: Pick<ScopeNames, "partner" | "terminal">;
  readonly secret: string;
  readonly stored: KeyHash;
  /** Replaces the stored hash with the new one. Throws `Conflict` if the key has changed meanwhile. */
  readonly replace: (stored: KeyHash, next: KeyHash) => Promise<void>;
}

/** Returns at once, and never throws. */
export type RehashKey = (key: ProvenKey) => void;

/** Milliseconds until a process tries the same key again. The process caches keys for a minute, so it sees the old hash for that long. */
const AGAIN_AFTER_MS = 10 * 60_000;
const MAX_ENTRIES = 10_000;

/**
 * Hashes a key again with the first pepper after it was used with an older one. The older pepper can then leave the settings.
 *
 * The request does not wait for this, and a failure does not affect it. The old hash stays valid, another use of the key tries again, and
 * `pepper status` counts the keys that remain. A failure is logged, except a conflict: another process hashed the same key at the same
 * moment, or the key was changed.
 */
export function rehashingKeys(peppers: Peppers, clock: Pick<Clock, "now">, log: Pick<Log, "write">): RehashKey {
  const tried = expiringCache<true>(clock, { keepMs: AGAIN_AFTER_MS, maxEntries: MAX_ENTRIES });
  const [pepperId = "", pepper = ""] = Object.entries(peppers)[0] ?? [];
  return ({ name, owner, of, secret, stored, replace }) => {
    if (stored.pepperId === pepperId || tried.get(name)) return;
    tried.set(name, true, clock.now());
    replace(stored, { hash: hashKey(secret, pepper, owner), pepperId }).catch((error: unknown) => {
      if (!(error instanceof Conflict)) log.write("rehashFailed", { ...of, ...loggedError(error) });
    });
  };
}
