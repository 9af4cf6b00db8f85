import { keyStatus } from "../../../domain/api-key.ts";
import type { Instant } from "../../../domain/time.ts";
import type { Partners } from "../../../stores/partners.ts";
import type { KeyedTerminal, Terminals } from "../../../stores/terminals.ts";
import { eachOf } from "../../each-of.ts";

export interface PepperStatusDeps {
  readonly partners: Pick<Partners, "list" | "keyIds" | "findKey" | "terminalIds">;
  readonly terminals: Pick<Terminals, "findKey">;
}

/** How many keys can be verified with one pepper alone. Without them it may leave the settings. */
export interface PepperStatus {
  readonly pepperId: string;
  /** Keys of partners that give access, or will again once their partner is enabled. */
  readonly keys: number;
  /** Terminals of which a key is valid, the one before the present one included. */
  readonly terminals: number;
}

/**
 * The peppers that are named, in this order, and then those that only stored keys name. It reads every key and terminal, partner by partner.
 * Throws `Unavailable`.
 */
export async function pepperStatus(
  { partners, terminals }: PepperStatusDeps,
  named: readonly string[],
  now: Instant,
): Promise<PepperStatus[]> {
  const counts = new Map(named.map((pepperId) => [pepperId, { keys: 0, terminals: 0 }]));
  const count = (of: "keys" | "terminals", pepperIds: Iterable<string>) => {
    for (const pepperId of pepperIds) {
      const known = counts.get(pepperId) ?? { keys: 0, terminals: 0 };
      counts.set(pepperId, { ...known, [of]: known[of] + 1 });
    }
  };
  for (const partnerId of await partners.list()) {
    const [keyIds, terminalIds] = await Promise.all([partners.keyIds(partnerId), partners.terminalIds(partnerId)]);
    for (const key of await eachOf(keyIds, (keyId) => partners.findKey(keyId))) {
      const status = key && keyStatus(key, now);
      if (key && (status === "active" || status === "disabled")) count("keys", [key.pepperId]);
    }
    for (const terminal of await eachOf(terminalIds, (terminalId) => terminals.findKey(terminalId)))
      if (terminal) count("terminals", peppersOf(terminal, now));
  }
  return [...counts].map(([pepperId, counted]) => ({ pepperId, ...counted }));
}

const peppersOf = ({ pepperId, formerKey }: KeyedTerminal, now: Instant): ReadonlySet<string> =>
  new Set([pepperId, ...(formerKey && formerKey.endsAt > now ? [formerKey.pepperId] : [])]);
