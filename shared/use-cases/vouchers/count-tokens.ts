import type { Issuance } from "../../domain/issuance.ts";
import {
  domainLimit,
  mailboxLimit,
  recentTokens,
  secondsUntilAnother,
  type IssuedToken,
  type TokenLimit,
} from "../../domain/token-limits.ts";
import { mailboxOf, ownedDomainOf } from "../../domain/mail-domain.ts";
import type { Instant } from "../../domain/time.ts";
import type { AccessTokens, StoredIssue } from "../../stores/access-tokens.ts";
import type { Codes } from "../../ports/codes.ts";

/** The keys under which the tokens of one address are counted: its own mailbox on all pages together, and its domain for one template. */
export interface CountKeys {
  readonly mailbox: readonly [string, ...string[]];
  /** Absent if the domain is that of a provider at which anybody can have a mailbox. */
  readonly domain?: readonly [string, ...string[]];
}

export function countKeysOf(codes: Pick<Codes, "countKeys">, email: string, templateId: string): CountKeys {
  const domain = ownedDomainOf(email);
  return {
    mailbox: codes.countKeys(`mailbox ${mailboxOf(email)}`),
    ...(domain !== undefined && { domain: codes.countKeys(`domain ${domain} of template ${templateId}`) }),
  };
}

/**
 * The tokens recently issued to one mailbox or domain, under each of its keys. It has several keys while the platform's keys are rotated.
 */
export interface ReadCount {
  readonly limit: TokenLimit;
  readonly key: string;
  readonly own: StoredIssue | undefined;
  readonly elsewhere: readonly IssuedToken[];
}

/** Reads the counts of an address. */
export async function readCounts(
  accessTokens: Pick<AccessTokens, "issuedTo">,
  { mailbox, domain }: CountKeys,
  issuance: Issuance,
): Promise<ReadCount[]> {
  const counted = [
    { keys: mailbox, limit: mailboxLimit },
    ...(domain ? [{ keys: domain, limit: domainLimit(issuance) }] : []),
  ];
  return Promise.all(
    counted.map(async ({ keys, limit }) => {
      const [own, ...others] = await Promise.all(keys.map((key) => accessTokens.issuedTo(key)));
      return { limit, key: keys[0], own, elsewhere: others.flatMap((list) => list?.issued ?? []) };
    }),
  );
}

/** Seconds until every limit admits another token; undefined if all admit one now. */
export function secondsUntilAll(counts: readonly ReadCount[], now: Instant): number | undefined {
  const waits = counts.flatMap(({ own, elsewhere, limit }) => {
    const wait = secondsUntilAnother([...(own?.issued ?? []), ...elsewhere], limit, now);
    return wait === undefined ? [] : [wait];
  });
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/**
 * Counts the token towards the limits of its mailbox and its domain, once. False if one of them is reached, however many requests compete.
 * The lists under all keys in force count. The token is noted under the first key. Throws `Conflict` if a list changed meanwhile.
 */
export async function countToken(
  accessTokens: Pick<AccessTokens, "noteIssued">,
  counts: readonly ReadCount[],
  tokenId: string,
  at: Instant,
): Promise<boolean> {
  const isCounted = ({ own, elsewhere }: ReadCount) =>
    [...(own?.issued ?? []), ...elsewhere].some((token) => token.tokenId === tokenId);
  const open = counts.filter((count) => !isCounted(count));
  if (secondsUntilAll(open, at) !== undefined) return false;
  for (const { key, own, limit } of open) {
    const recent = recentTokens(own?.issued ?? [], limit, at);
    await accessTokens.noteIssued(key, [...recent, { tokenId, at }], own);
  }
  return true;
}
