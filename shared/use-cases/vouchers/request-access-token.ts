import {
  isReplay,
  openPage,
  openRequest,
  pageState,
  secondsUntilAnother,
  type LandingPage,
  type TokenRequest,
} from "../../domain/landing-page.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { AccessTokenTemplates } from "../../ports/access-token-templates.ts";
import type { AccessTokens } from "../../ports/access-tokens.ts";
import type { Codes } from "../../ports/codes.ts";
import { requestSubject, type CommitTokenRequestDeps } from "./commit-token-request.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { announceAndCommit } from "../outbox/announce-and-commit.ts";

export interface RequestAccessTokenDeps extends CommitTokenRequestDeps {
  readonly accessTokenTemplates: AccessTokenTemplates;
  readonly accessTokens: AccessTokens;
  readonly codes: Codes;
}

/** What a customer asks for, identifiers in lower case. */
export interface TokenInput extends Pick<LandingPage, "landingPageId" | "productId" | "templateId" | "spelled"> {
  readonly button: number;
  readonly email: string;
}

/**
 * Records that a customer wants a voucher or key, and the page where it is new; workers issue and mail it. The same again within
 * a day is a replay. The limit on tokens to one address is looked at here out of courtesy; the worker that issues holds it.
 */
export async function requestAccessToken(
  deps: RequestAccessTokenDeps,
  asked: TokenInput,
  traceparent?: string,
): Promise<Result<{ page: LandingPage; request: TokenRequest; replayed: boolean }, Refusal>> {
  const { landingPageId, templateId, button, email } = asked;
  const addressKey = deps.codes.addressKey(email);
  return retryOnConflict(async () => {
    const [stored, same, template, sent] = await Promise.all([
      deps.landingPages.find(landingPageId),
      deps.landingPages.findSame({ landingPageId, button, addressKey }),
      deps.accessTokenTemplates.find(templateId),
      deps.accessTokens.issuedTo(addressKey),
    ]);
    const now = deps.clock.now();
    const known = stored?.page;
    if (known && (known.productId !== asked.productId || known.templateId !== templateId)) {
      return refuse({ code: "landing_page_conflict" });
    }
    const earlier = same && (await deps.landingPages.findRequest(same.key));
    if (known && earlier && isReplay(earlier.request, now)) {
      return ok({ page: known, request: earlier.request, replayed: true });
    }
    if (!template) return refuse({ code: "access_token_template_not_found" });
    const page = known ?? openPage(asked, template, now);
    const state = pageState(page, now);
    if (state !== "active") return refuse({ code: "landing_page_unavailable", detail: `The page is ${state}.` });
    const retryAfterSeconds = secondsUntilAnother(sent?.issued ?? [], now);
    if (retryAfterSeconds !== undefined) return refuse({ code: "rate_limited", retryAfterSeconds });

    const drawn = { requestId: deps.newId(), tokenId: deps.newId() };
    const { request, effects } = openRequest({ ...drawn, landingPageId, button, email, addressKey }, now);
    const command = { commandId: deps.newId(), effects };
    const opened = { newPage: known ? undefined : page, request, same, command };
    await announceAndCommit(deps, requestSubject(request), command, () => deps.landingPages.open(opened), traceparent);
    return ok({ page, request, replayed: false });
  });
}
