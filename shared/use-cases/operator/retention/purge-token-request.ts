import { tokenState } from "../../../domain/access-token.ts";
import { addressKeysOf, requestHasEnded, type TokenRequest } from "../../../domain/landing-page.ts";
import { dayOf, later, type Instant } from "../../../domain/time.ts";
import type { StoredToken } from "../../../stores/access-tokens.ts";
import { isCarriedOut } from "../../../stores/commands.ts";
import type { DayMark } from "../../../stores/marks.ts";
import type { Retention } from "../../../stores/retention.ts";
import { currentToken } from "../../vouchers/find-token.ts";
import { LATER, removed, STAYS, type PurgeResult } from "./purge-result.ts";
import type { Needs } from "../../needs.ts";

export type PurgeTokenRequestDeps = Needs<"accessTokens" | "commands" | "landingPages" | "payments" | "retention">;

/**
 * Removes a token request that has ended, with its token and the data stored about its address. Request and token must have last changed
 * before this moment, and the token must have expired before it. Throws `Conflict` if one of them changed meanwhile.
 */
export async function purgeTokenRequest(
  deps: PurgeTokenRequestDeps,
  { subject }: DayMark<"tokenRequest">,
  before: Instant,
): Promise<PurgeResult> {
  const { retention, landingPages, accessTokens, commands } = deps;
  const stored = await landingPages.findRequest(subject);
  if (!stored) return removed(await retention.removeTokenRequest(subject, undefined));
  const { request, etag } = stored;
  if (request.updatedAt >= before) return LATER; // each change is marked under its day
  if (!requestHasEnded(request) || !(await commands.ofSubject(subject)).every(isCarriedOut)) return STAYS;
  const token = await accessTokens.find(request.tokenId);
  const needed = token && (await whileNeeded(deps, token, before));
  if (needed) return needed;
  const rows = [
    await forgetAddress(retention, request, before),
    token ? await retention.removeToken(token.token, token.etag) : 0,
    await retention.removeSame(request, addressKeysOf(request)),
    await retention.removeTokenRequest(subject, etag),
  ];
  return removed(rows.reduce((sum, count) => sum + count, 0));
}

/** Removes the request from the list of each address that it was mailed to. Removes the counts that have no later token. */
async function forgetAddress(retention: Retention, request: TokenRequest, before: Instant): Promise<number> {
  let rows = 0;
  for (const key of addressKeysOf(request)) rows += await retention.forgetRequest(key, request);
  for (const key of request.countKeys ?? []) rows += await retention.forgetCount(key, before);
  return rows;
}

/** The result for a request whose token is still needed; undefined if it is not needed. */
async function whileNeeded(
  deps: PurgeTokenRequestDeps,
  { token }: StoredToken,
  before: Instant,
): Promise<PurgeResult | undefined> {
  const last = later(token.updatedAt, token.validUntil);
  if (last >= before) return { ...LATER, on: dayOf(last) };
  return tokenState(await currentToken(deps, token, before), before) === "reserved" ? STAYS : undefined;
}
