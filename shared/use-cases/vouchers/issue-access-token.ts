import { issueToken } from "../../domain/access-token.ts";
import {
  mailGivenUp,
  recentTokens,
  secondsUntilAnother,
  tokenIssued,
  type TokenRequest,
} from "../../domain/landing-page.ts";
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
    await issue(deps, request);
  }
  await commitTokenRequest(deps, call, tokenIssued(request, call.now()), stored);
  return "done";
}

/** Counts the token towards its address's limit for the hour. False where the limit is reached, however many requests compete. */
async function countTowardsLimit(
  { accessTokens }: RequestAccessTokenDeps,
  call: CallContext,
  { addressKey, tokenId }: TokenRequest,
): Promise<boolean> {
  const read = await accessTokens.issuedTo(addressKey);
  const at = call.now();
  const recent = recentTokens(read?.issued ?? [], at);
  if (recent.some((token) => token.tokenId === tokenId)) return true;
  if (secondsUntilAnother(recent, at) !== undefined) return false;
  await accessTokens.noteIssued(addressKey, [...recent, { tokenId, at }], read);
  return true;
}

async function issue(deps: RequestAccessTokenDeps, request: TokenRequest): Promise<void> {
  const page = (await deps.landingPages.find(request.landingPageId))?.page;
  const template = page && (await deps.accessTokenTemplates.find(page.templateId));
  if (!template) throw new Error(`the template of request ${request.requestId} does not exist`);
  const codeKey = deps.codes.keyOf(deps.codes.codeOf(request.tokenId));
  if (codeKey === undefined) throw new Error("the code of a new token cannot be read");
  await deps.accessTokens.issue(issueToken(template, request, page.asReceived.productId), codeKey);
}
