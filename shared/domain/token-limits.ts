import * as z from "zod";
import type { Issuance } from "./issuance.ts";
import type { RecordOf } from "./record.ts";
import { after, msBetween, uncheckedInstant, type Instant } from "./time.ts";

/** A token that was issued to a mailbox or a domain. A limit on their number counts it. */
export const issuedTokenRecord = z.object({ tokenId: z.string(), at: uncheckedInstant });
export interface IssuedToken extends RecordOf<typeof issuedTokenRecord> {}

/** The most tokens within a number of seconds. */
export interface TokenLimit {
  readonly most: number;
  readonly seconds: number;
}

/** For one mailbox, on all pages together. */
export const mailboxLimit: TokenLimit = { most: 5, seconds: 3_600 };
/** For all addresses of one domain, from one template. */
export const domainLimit = ({ mostPerDomain }: Pick<Issuance, "mostPerDomain">): TokenLimit => ({
  most: mostPerDomain,
  seconds: 86_400,
});

/** The tokens that still count towards the limit. */
export const recentTokens = (issued: readonly IssuedToken[], { seconds }: TokenLimit, now: Instant): IssuedToken[] =>
  issued.filter(({ at }) => msBetween(at, now) < seconds * 1000);

/** Seconds until the limit admits another token. Undefined if it admits one now. */
export function secondsUntilAnother(
  issued: readonly IssuedToken[],
  limit: TokenLimit,
  now: Instant,
): number | undefined {
  const recent = recentTokens(issued, limit, now).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const oldest = recent.at(-limit.most);
  return oldest && Math.max(1, Math.ceil(msBetween(now, after(oldest.at, limit.seconds)) / 1000));
}
