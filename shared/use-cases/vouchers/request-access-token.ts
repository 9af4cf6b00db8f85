import {
  isReplay,
  createPage,
  createTokenRequest,
  whyNoToken,
  type LandingPage,
  type TokenRequest,
} from "../../domain/landing-page.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { AccessTokenTemplates } from "../../ports/access-token-templates.ts";
import type { AccessTokens } from "../../ports/access-tokens.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { Codes } from "../../ports/codes.ts";
import { requestSubject, type CommitTokenRequestDeps } from "./commit-token-request.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { listed } from "../outbox/enter-lists.ts";
import { announceAndCommit } from "../outbox/announce-and-commit.ts";

export interface RequestAccessTokenDeps extends CommitTokenRequestDeps {
  readonly accessTokenTemplates: AccessTokenTemplates;
  readonly accessTokens: AccessTokens;
  readonly codes: Codes;
}

/** A customer's request, with identifiers in lower case. */
export interface TokenInput extends Pick<LandingPage, "landingPageId" | "productId" | "templateId" | "asReceived"> {
  readonly button: number;
  readonly email: string;
}

export interface TokenResult {
  readonly page: LandingPage;
  readonly request: TokenRequest;
  readonly replayed: boolean;
}

type TokenRefusal =
  | "landing_page_conflict"
  | "landing_page_unavailable"
  | "access_token_template_not_found"
  | "rate_limited";

/**
 * Records a customer's request for a voucher or key, and creates the page where it is new; workers issue the token and mail it. The same
 * request within a day is a replay. The limit on tokens for one address is checked here to refuse early; the worker that issues enforces
 * it.
 */
export const requestAccessToken = (
  deps: RequestAccessTokenDeps,
  call: CallContext,
  input: TokenInput,
): Promise<Result<TokenResult, Refusal<TokenRefusal>>> =>
  retryOnConflict(async () => {
    const { landingPageId, button, email } = input;
    const addressKey = deps.codes.addressKey(email);
    const read = await readAll(deps, input, addressKey);
    const now = call.now();
    const { page: known, earlier, template } = read;
    if (known && isOfAnother(known, input)) return refuse({ code: "landing_page_conflict" });
    if (known && earlier && isReplay(earlier, now)) return ok({ page: known, request: earlier, replayed: true });
    if (!template) return refuse({ code: "access_token_template_not_found" });
    const page = known ?? createPage(input, template, now);
    const refused = whyNoToken(page, read.issued, now);
    if (refused) return refuse(refused);

    const drawn = { requestId: call.newId(), tokenId: call.newId() };
    const created = createTokenRequest({ ...drawn, landingPageId, button, email, addressKey }, now);
    const command = { commandId: call.newId(), effects: created.effects };
    const { record: request, entering } = listed(created.request, command);
    await announceAndCommit(deps, {
      subject: requestSubject(request),
      command,
      entering,
      traceparent: call.traceparent,
      commit: () => deps.landingPages.create({ newPage: known ? undefined : page, request, same: read.same, command }),
    });
    return ok({ page, request, replayed: false });
  });

/** The page, its latest request by this button and address, its template, and the tokens recently issued to the address. */
async function readAll(
  deps: RequestAccessTokenDeps,
  { landingPageId, templateId, button }: TokenInput,
  addressKey: string,
) {
  const [stored, same, template, sent] = await Promise.all([
    deps.landingPages.find(landingPageId),
    deps.landingPages.findSame({ landingPageId, button, addressKey }),
    deps.accessTokenTemplates.find(templateId),
    deps.accessTokens.issuedTo(addressKey),
  ]);
  const earlier = same && (await deps.landingPages.findRequest(same.key))?.request;
  return { page: stored?.page, same, earlier, template, issued: sent?.issued ?? [] };
}

const isOfAnother = (page: LandingPage, { productId, templateId }: TokenInput): boolean =>
  page.productId !== productId || page.templateId !== templateId;
