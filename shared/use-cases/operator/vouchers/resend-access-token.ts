import { tokenState } from "../../../domain/access-token.ts";
import {
  addressKeysOf,
  mailAgain,
  requestHasEnded,
  secondsUntilMailAgain,
  type TokenRequest,
} from "../../../domain/landing-page.ts";
import type { Instant } from "../../../domain/time.ts";
import type { CallContext } from "../../../ports/clock.ts";
import type { StoredRequest } from "../../../stores/landing-pages.ts";
import { retryOnConflict } from "../../outbox/retry-on-conflict.ts";
import { commitTokenRequest, type CommitTokenRequestDeps } from "../../vouchers/commit-token-request.ts";
import { readToken, type ReadTokenDeps } from "./read-token.ts";
import type { Codes } from "../../../ports/codes.ts";

export interface ResendAccessTokenDeps extends CommitTokenRequestDeps, ReadTokenDeps {
  readonly codes: Pick<Codes, "addressKeys">;
}

export interface Resend {
  readonly tokenId: string;
  /** The address to mail. The platform erased it after the first mail. */
  readonly email: string;
  /** True if the customer has another address now. Otherwise only the address that requested the token is mailed. */
  readonly isOtherAddress: boolean;
}

/** Why no mail was sent: one sentence for an operator. It never holds an address. */
export interface NotResent {
  readonly why: string;
}

/**
 * Has a worker mail the token's code once more. The mail is announced, committed and retried like the first one, and the address is erased
 * afterwards. Before that, the address is entered as one of the request's addresses, so that `eraseAddress` finds it. Throws `Conflict` and
 * `Unavailable` as `announceAndCommit` does.
 */
export const resendAccessToken = (
  deps: ResendAccessTokenDeps,
  call: CallContext,
  resend: Resend,
): Promise<TokenRequest | NotResent> =>
  retryOnConflict(async () => {
    const now = call.now();
    const token = (await readToken(deps, resend.tokenId, now))?.token;
    if (!token) return { why: "There is no such access token." };
    const state = tokenState(token, now);
    if (state !== "active" && state !== "reserved") return { why: `It is ${state}: its code cannot be used.` };
    const stored = await deps.landingPages.findRequestOf(token);
    if (!stored) return { why: "The request for it is no longer stored." };
    const addressKeys = deps.codes.addressKeys(resend.email);
    const why = whyNot(stored, addressKeys, resend, now);
    const again = mailAgain(stored.request, { email: resend.email, addressKeys }, now);
    if (why !== undefined || !again) return { why: why ?? "Its mail is already being sent." };
    await deps.accessTokens.noteRequest(addressKeys[0], stored.request);
    await commitTokenRequest(deps, call, again, stored);
    return again.request;
  });

function whyNot(
  { request }: StoredRequest,
  addressKeys: readonly string[],
  { isOtherAddress }: Resend,
  now: Instant,
): string | undefined {
  if (!requestHasEnded(request)) return undefined; // a mail is under way
  const seconds = secondsUntilMailAgain(request, now);
  if (seconds !== undefined) return `It was mailed less than a minute ago. Try again in ${seconds} s.`;
  if (isOtherAddress || addressKeysOf(request).some((key) => addressKeys.includes(key))) return undefined;
  return "This is not the address that requested it. If the customer has a new address, add --other-address.";
}
