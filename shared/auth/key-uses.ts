import ipaddr from "ipaddr.js";
import type { Instant } from "../domain/time.ts";
import { dayOf } from "../domain/time.ts";
import type { Clock } from "../ports/clock.ts";
import { Conflict } from "../ports/failures.ts";
import type { Log } from "../ports/log.ts";
import { loggedError } from "../ports/logged-error.ts";
import type { Partners } from "../ports/partners.ts";
import { expiringCache } from "./expiring-cache.ts";

/** The header in which the gateway names its caller's address, and overwrites what a caller sent in it. */
const CLIENT_ADDRESS = "x-client-address";

/** A key that has just proved its caller. */
export interface KeyUsed {
  readonly keyId: string;
  readonly partnerId: string;
  /** The network of the caller; undefined if no gateway named it. */
  readonly network: string | undefined;
}

/** Returns at once, and never throws. */
export type NoteKeyUse = (used: KeyUsed) => void;

const DAY_MS = 24 * 3_600_000;
const MAX_ENTRIES = 10_000;

/**
 * Stores on which day a key was last used, and from which network: once a day for each key. The request neither waits for this nor fails by
 * it: if it fails, another use of the key tries again, and the log has a line. A conflict is none: another process did it.
 */
export function notingKeyUses(
  partners: Pick<Partners, "noteUse">,
  clock: Pick<Clock, "now">,
  log: Pick<Log, "write">,
): NoteKeyUse {
  const noted = expiringCache<Instant>(clock, { keepMs: DAY_MS, maxEntries: MAX_ENTRIES });
  return ({ keyId, partnerId, network = "unknown" }) => {
    const now = clock.now();
    const day = dayOf(now);
    if (noted.get(keyId) === day) return;
    noted.set(keyId, day, now);
    partners.noteUse(keyId, { day, network }).catch((error: unknown) => {
      if (error instanceof Conflict) return;
      noted.delete(keyId);
      log.write("keyUseNotNoted", { partner: partnerId, key: keyId, ...loggedError(error) });
    });
  };
}

/** The network that the gateway's address is in, as /24 or for IPv6 as /48. A whole address is stored nowhere. */
export function networkOf(headers: { readonly get: (name: string) => string | null }): string | undefined {
  const sent = headers.get(CLIENT_ADDRESS) ?? "";
  if (!ipaddr.isValid(sent)) return undefined;
  const address = ipaddr.process(sent);
  return address.kind() === "ipv4"
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/48`).toString()}/48`;
}
