import { keyStatus } from "../../../../shared/domain/api-key.ts";
import type { Instant } from "../../../../shared/domain/time.ts";
import type { Partners } from "../../../../shared/stores/partners.ts";

/** When and from where a key was last used: `2026-11-26 from 203.0.113.0/24`, or `never`. */
export async function lastUseOf(partners: Partners, keyId: string): Promise<string> {
  const use = await partners.findUse(keyId);
  return use === undefined ? "never" : `${use.day} from ${use.network}`;
}

/** Each of these keys with its current status and last use: `0f3a91c2d4e5b6a7 (active; last used 2026-11-26 from 203.0.113.0/24)`. */
export async function keysInWords(
  partners: Partners,
  keyIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, string>> {
  const inWords = async (keyId: string) => {
    const [stored, lastUse] = await Promise.all([partners.readKey(keyId), lastUseOf(partners, keyId)]);
    return [keyId, `${keyId} (${stored ? keyStatus(stored.key, now) : "gone"}; last used ${lastUse})`] as const;
  };
  return new Map(await Promise.all([...new Set(keyIds)].map(inWords)));
}
