import { issueToken } from "../../domain/access-token.ts";
import {
  mailGivenUp,
  recentTokens,
  secondsUntilAnother,
  tokenIssued,
  type TokenRequest,
} from "../../domain/landing-page.ts";
import { dayOf } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import { commitTokenRequest } from "./commit-token-request.ts";
import type { RequestAccessTokenDeps } from "./request-access-token.ts";
import type { RequestKey } from "../../ports/subjects.ts";

/**
 * Issues the token of a committed request, once: the request holds the token's identifier. An address that recently got too many tokens
 * gets none, and the request ends.
 */
export async function issueAccessToken(
  deps: RequestAccessTokenDeps,
  call: CallContext,
  key: RequestKey,
): Promise<"done"> {
  const stored = await deps.landingPages.findRequest(key);
  if (stored?.request.status !== "received") return "done";
  const { request } = stored;
  if (!(await deps.accessTokens.find(request.tokenId))) {
    if (!(await countTowardsLimit(deps, call, request))) {
      const refused = mailGivenUp(request, "rateLimited", call.now());
      await commitTokenRequest(deps, call, refused, stored);
      return "done";
    }
    await issue(deps, call, request);
  }
  await commitTokenRequest(deps, call, tokenIssued(request, call.now()), stored);
  return "done";
}

/**
 * Counts the token towards its address's limit for the hour. False where the limit is reached, however many requests compete. The address
 * has a list under each of the platform's keys that is in force, and all of them count; the token is noted under its request's own.
 */
async function countTowardsLimit(
  { accessTokens, codes }: RequestAccessTokenDeps,
  call: CallContext,
  request: TokenRequest,
): Promise<boolean> {
  const { addressKey, email, tokenId } = request;
  const otherKeys = (email === undefined ? [] : codes.addressKeys(email)).filter((key) => key !== addressKey);
  const [read, ...others] = await Promise.all([addressKey, ...otherKeys].map((key) => accessTokens.issuedTo(key)));
  const at = call.now();
  const own = recentTokens(read?.issued ?? [], at);
  const elsewhere = others.flatMap((list) => list?.issued ?? []);
  const recent = [...own, ...recentTokens(elsewhere, at)];
  if (recent.some((token) => token.tokenId === tokenId)) return true;
  if (secondsUntilAnother(recent, at) !== undefined) {
    await accessTokens.noteRequest(addressKey, request);
    return false;
  }
  await accessTokens.noteIssued(addressKey, { issued: [...own, { tokenId, at }], request }, read);
  return true;
}

/** Issues the token by the first code key. The day is noted first, so that no code comes of a day that is not noted. */
async function issue(deps: RequestAccessTokenDeps, call: CallContext, request: TokenRequest): Promise<void> {
  const page = (await deps.landingPages.find(request.landingPageId))?.page;
  const template = page && (await deps.accessTokenTemplates.find(page.templateId));
  if (!template) throw new Error(`the template of request ${request.requestId} does not exist`);
  const code = deps.codes.newCodeOf(request.tokenId);
  await deps.codeKeyDays.note({ codeKeyId: code.codeKeyId, day: dayOf(call.now()) });
  await deps.accessTokens.issue(issueToken(template, request, page.asReceived.productId, code));
}
