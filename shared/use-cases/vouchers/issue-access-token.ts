import type { AccessTokenTemplate } from "../../domain/access-token-template.ts";
import { issueToken } from "../../domain/access-token.ts";
import {
  mailGivenUp,
  tokenIssued,
  type LandingPage,
  type RequestReason,
  type TokenRequest,
} from "../../domain/landing-page.ts";
import { dayOf } from "../../domain/time.ts";
import type { StoredIssuance } from "../../stores/access-token-templates.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { RequestKey } from "../../ports/subjects.ts";
import { commitTokenRequest } from "./commit-token-request.ts";
import { countKeysOf, countToken, readCounts } from "./count-tokens.ts";
import type { RequestAccessTokenDeps } from "./request-access-token.ts";
import { takePlace, type TakePlaceDeps } from "./take-place.ts";

export interface IssueAccessTokenDeps extends RequestAccessTokenDeps, TakePlaceDeps {}

/**
 * Issues the token of a committed request, once, because the request holds the token's identifier. If the template is stopped or a limit is
 * reached, no token is issued, and the request ends.
 */
export async function issueAccessToken(
  deps: IssueAccessTokenDeps,
  call: CallContext,
  key: RequestKey,
): Promise<"done"> {
  const stored = await deps.landingPages.findRequest(key);
  if (stored?.request.status !== "received") return "done";
  const { request } = stored;
  if (!(await deps.accessTokens.find(request.tokenId))) {
    const source = await sourceOf(deps, request);
    const refused = await whyNoToken(deps, call, request, source.issuance);
    if (refused) {
      await commitTokenRequest(deps, call, mailGivenUp(request, refused, call.now()), stored);
      return "done";
    }
    await issue(deps, call, request, source);
  }
  await commitTokenRequest(deps, call, tokenIssued(request, call.now()), stored);
  return "done";
}

/** The source of a token. */
interface Source {
  readonly page: LandingPage;
  readonly template: AccessTokenTemplate;
  readonly issuance: StoredIssuance;
}

async function sourceOf(
  { landingPages, accessTokenTemplates }: IssueAccessTokenDeps,
  { requestId, landingPageId }: TokenRequest,
): Promise<Source> {
  const page = (await landingPages.find(landingPageId))?.page;
  const [template, issuance] = page
    ? await Promise.all([
        accessTokenTemplates.find(page.templateId),
        accessTokenTemplates.findIssuance(page.templateId),
      ])
    : [];
  if (!page || !template || !issuance) throw new Error(`the template of request ${requestId} does not exist`);
  return { page, template, issuance };
}

/** Why the request gets no token. If it gets one, the token is counted: for its mailbox and domain, then for its template. */
async function whyNoToken(
  deps: IssueAccessTokenDeps,
  call: CallContext,
  request: TokenRequest,
  read: StoredIssuance,
): Promise<RequestReason | undefined> {
  const { accessTokens, codes } = deps;
  const { addressKey, email, requestId, tokenId } = request;
  if (email === undefined) throw new Error(`request ${requestId} has no address`);
  await accessTokens.noteRequest(addressKey, request);
  const { issuance } = read;
  if (issuance.status === "stopped") return "templateStopped"; // a limit that is reached does not matter to a request that has its place
  const counts = await readCounts(accessTokens, countKeysOf(codes, email, issuance.templateId), issuance);
  if (!(await countToken(accessTokens, counts, tokenId, call.now()))) return "rateLimited";
  return (await takePlace(deps, read, requestId, call.now())) ? undefined : "limitReached";
}

/** Issues the token with the first code key. The day is noted first, so that no code is made on a day that is not noted. */
async function issue(
  deps: IssueAccessTokenDeps,
  call: CallContext,
  request: TokenRequest,
  { page, template }: Source,
): Promise<void> {
  const code = deps.codes.newCodeOf(request.tokenId);
  await deps.codeKeyDays.note({ codeKeyId: code.codeKeyId, day: dayOf(call.now()) });
  await deps.accessTokens.issue(issueToken(template, request, page.asReceived.productId, code));
}
