import { keyStatus } from "../../../domain/api-key.ts";
import type { Instant } from "../../../domain/time.ts";
import type { Partners } from "../../../stores/partners.ts";
import type { KeyedTerminal, Terminals } from "../../../stores/terminals.ts";
import { eachOf } from "../../each-of.ts";

export interface PepperStatusDeps {
  readonly partners: Pick<Partners, "list" | "keyIds" | "findKey" | "terminalIds">;
  readonly terminals: Pick<Terminals, "findKey">;
}

/** The number of keys that only this pepper can verify. A pepper without such keys may be removed from the settings. */
export interface PepperStatus {
  readonly pepperId: string;
  /** Partners' keys that give access, or will do so once their partner is enabled. */
  readonly keys: number;
  /** Terminals with a valid key of this pepper. A former key counts while it is valid. */
  readonly terminals: number;
}

/**
 * The status of the named peppers, in this order, and then of the peppers that only stored keys name. Reads every key and terminal, partner
 * by partner. Throws `Unavailable`.
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
