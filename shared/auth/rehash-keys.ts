import type { Clock } from "../ports/clock.ts";
import { Conflict } from "../ports/failures.ts";
import type { Log, ScopeNames } from "../ports/log.ts";
import { loggedError } from "../ports/logged-error.ts";
import type { KeyHash } from "../stores/partners.ts";
import { hashKey, type KeyOwner, type Peppers } from "./credentials.ts";
import { expiringCache } from "./expiring-cache.ts";

/** A key that has proved its caller. */
export interface ProvenKey {
  /** Names the key within the process. */
  readonly name: string;
  readonly owner: KeyOwner;
  /** Whose key it is, for the log. */
  readonly of: Pick<ScopeNames, "partner" | "terminal">;
  readonly secret: string;
  readonly stored: KeyHash;
  /** Writes the new hash in place of the stored one. Throws `Conflict` where the key changed meanwhile. */
  readonly replace: (stored: KeyHash, next: KeyHash) => Promise<void>;
}

/** Returns at once, and never throws. */
export type RehashKey = (key: ProvenKey) => void;

/** Milliseconds until a process tries the same key again. A process remembers keys for a minute, so it meets the old hash for that long. */
const AGAIN_AFTER_MS = 10 * 60_000;
const MAX_ENTRIES = 10_000;

/**
 * Hashes a key again by the first pepper once it was used under an older one, so that the older pepper can leave the settings. The request
 * neither waits for this nor fails by it: the old hash is as good, another use of the key tries again, and `pepper status` counts what is
 * left. A failure is a line in the log, but for a conflict: another process hashed the same key at the same moment, or the key was changed.
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
