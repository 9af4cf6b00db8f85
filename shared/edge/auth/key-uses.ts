import ipaddr from "ipaddr.js";
import { storableDetail } from "../../domain/alert.ts";
import { endsSoon } from "../../domain/api-key.ts";
import { newestVersion } from "../../ports/stored-forms.ts";
import { dayOf, type Instant } from "../../domain/time.ts";
import type { BareAlert, BareAlerts } from "../../ports/bare-alerts.ts";
import type { Clock } from "../../ports/clock.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Log } from "../../ports/log.ts";
import { loggedError } from "../../ports/logged-error.ts";
import type { ApiKey, Partners } from "../../stores/partners.ts";
import { expiringCache } from "./expiring-cache.ts";

/** The header in which the gateway sends its caller's address. The gateway overwrites a value that a caller sent. */
const CLIENT_ADDRESS = "x-client-address";

/** A key that has just proved its caller. */
export interface KeyUsed {
  readonly key: Pick<ApiKey, "keyId" | "partnerId" | "expiresAt" | "updatedAt">;
  /** The network of the caller. Undefined if no gateway named it. */
  readonly network: string | undefined;
}

/** Returns at once, and never throws. */
export type NoteKeyUse = (used: KeyUsed) => void;

const DAY_MS = 24 * 3_600_000;
const MAX_ENTRIES = 10_000;

/** The ports that recording a use needs. */
export interface KeyUseDeps {
  readonly partners: Pick<Partners, "noteUse">;
  readonly bareAlerts: BareAlerts;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "write">;
}

/**
 * Stores the day on which a key was last used, and from which network, once a day for each key. It alerts an operator if a key in use ends
 * soon. The request does not wait for this, and a failure does not affect it. After a failure the log has a line, and the next use of the
 * key tries again. A conflict is ignored, because another process stored the use.
 */
export function notingKeyUses({ partners, bareAlerts, clock, log }: KeyUseDeps): NoteKeyUse {
  const noted = expiringCache<Instant>(clock, { keepMs: DAY_MS, maxEntries: MAX_ENTRIES });
  const note = async ({ key, network = "unknown" }: KeyUsed, now: Instant) => {
    if (endsSoon(key, now)) await bareAlerts.send(endingAlert(key, now));
    await partners.noteUse(key.keyId, { day: dayOf(now), network });
  };
  return (used) => {
    const { keyId, partnerId } = used.key;
    const now = clock.now();
    if (noted.get(keyId) === dayOf(now)) return;
    noted.set(keyId, dayOf(now), now);
    note(used, now).catch((error: unknown) => {
      if (error instanceof Conflict) return;
      noted.delete(keyId);
      log.write("keyUseNotNoted", { partner: partnerId, key: keyId, ...loggedError(error) });
    });
  };
}

const endingAlert = ({ keyId, partnerId, expiresAt = "" }: KeyUsed["key"], at: Instant): BareAlert => ({
  v: newestVersion,
  raised: {
    subject: { kind: "platform" },
    kind: "keyEndsSoon",
    about: keyId,
    detail: storableDetail(`the key of partner ${partnerId} ends at ${expiresAt}`),
    cause: expiresAt,
    at,
  },
});

/** The network of the caller's address: /24 for IPv4, /48 for IPv6. The whole address is never stored. */
export function networkOf(headers: { readonly get: (name: string) => string | null }): string | undefined {
  const sent = headers.get(CLIENT_ADDRESS) ?? "";
  if (!ipaddr.isValid(sent)) return undefined;
  const address = ipaddr.process(sent);
  return address.kind() === "ipv4"
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/48`).toString()}/48`;
}
