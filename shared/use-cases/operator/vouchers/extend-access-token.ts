import { extendToken, tokenState, type AccessToken } from "../../../domain/access-token.ts";
import { after, dayOf, later, type Instant } from "../../../domain/time.ts";
import { readToken, type ReadTokenDeps } from "./read-token.ts";
import type { Needs } from "../../needs.ts";

export type ExtendAccessTokenDeps = ReadTokenDeps & Needs<"codeKeyDays">;

/** The new end: a moment, or a number of days after the present end, or after now if that end has passed. */
export type Extension = { readonly until: Instant } | { readonly days: number };

/** Ten years. A later end is a typing error. */
const MOST_DAYS = 3_653;
const DAY_SECONDS = 86_400;

/**
 * Extends the validity of a voucher or key that is active or has expired. First notes the day for the code key that made its code, so that
 * the code key is not removed too early. Returns the token, or one sentence for the operator if it cannot be extended. Throws `Conflict` if
 * the token changed meanwhile, and `Unavailable`.
 */
export async function extendAccessToken(
  deps: ExtendAccessTokenDeps,
  tokenId: string,
  extension: Extension,
  now: Instant,
): Promise<AccessToken | { readonly why: string }> {
  const stored = await readToken(deps, tokenId, now);
  if (!stored) return { why: "There is no such access token." };
  const { token, etag } = stored;
  const until = "until" in extension ? extension.until : daysAfter(later(token.validUntil, now), extension.days);
  if (until > daysAfter(now, MOST_DAYS)) return { why: "It cannot be extended by more than ten years." };
  const extended = extendToken(token, until, now);
  if (!extended) return { why: whyNot(token, now) };
  await deps.codeKeyDays.noteExtension({ codeKeyId: token.codeKeyId, until: dayOf(until) });
  await deps.accessTokens.save(extended, etag);
  return extended;
}

function whyNot(token: AccessToken, now: Instant): string {
  const state = tokenState(token, now);
  if (state === "reserved") return "A payment holds it now: try again when the payment has ended.";
  if (state === "redeemed" || state === "revoked") return `It is permanently ${state}.`;
  return `The new end must be later than ${later(token.validUntil, now)}.`;
}

const daysAfter = (at: Instant, days: number): Instant => after(at, days * DAY_SECONDS);
