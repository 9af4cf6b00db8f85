import type { Clock } from "../ports/clock.ts";
import type { KeyHash } from "../ports/partners.ts";
import { hashSecret, type Peppers } from "./credentials.ts";
import { expiringCache } from "./expiring-cache.ts";

/** A key that has proved its caller. */
export interface ProvenKey {
  /** Names the key within the process. */
  readonly name: string;
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
 * neither waits for this nor fails by it. What fails is not reported: the old hash is as good, another use of the key tries again, and
 * `pepper status` counts what is left.
 */
export function rehashingKeys(peppers: Peppers, clock: Pick<Clock, "now">): RehashKey {
  const tried = expiringCache<true>(clock, { keepMs: AGAIN_AFTER_MS, maxEntries: MAX_ENTRIES });
  const [pepperId = "", pepper = ""] = Object.entries(peppers)[0] ?? [];
  return ({ name, secret, stored, replace }) => {
    if (stored.pepperId === pepperId || tried.get(name)) return;
    tried.set(name, true, clock.now());
    replace(stored, { hash: hashSecret(secret, pepper), pepperId }).catch(() => {});
  };
}
