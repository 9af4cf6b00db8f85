import {
  isReplay,
  createPage,
  createTokenRequest,
  whyPageUnavailable,
  type LandingPage,
  type TokenRequest,
} from "../../domain/landing-page.ts";
import type { Issuance } from "../../domain/issuance.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Instant } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { LandingPages, SameRequest } from "../../stores/landing-pages.ts";
import { countKeysOf, readCounts, secondsUntilAll, type CountKeys } from "./count-tokens.ts";
import { requestSubject, type CommitTokenRequestDeps } from "./commit-token-request.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { announceAndCommit } from "../outbox/announce-and-commit.ts";
import type { Needs } from "../needs.ts";

export type RequestAccessTokenDeps = CommitTokenRequestDeps &
  Needs<"accessTokenTemplates" | "accessTokens" | "codeKeyDays" | "codes">;

/** A customer's request, with identifiers in lower case. */
export interface TokenInput extends Pick<LandingPage, "landingPageId" | "productId" | "templateId" | "asReceived"> {
  readonly button: number;
  readonly email: string;
  /** The consumer user that sends the request. A template that does not name this user is refused as unknown. */
  readonly user: string;
  /** The locale of the mail. Defaults to that of the template. */
  readonly locale?: string | undefined;
}

export interface TokenResult {
  readonly page: LandingPage;
  readonly request: TokenRequest;
  readonly replayed: boolean;
}

type TokenRefusal =
  | "landing_page_conflict"
  | "landing_page_not_found"
  | "landing_page_unavailable"
  | "access_token_template_not_found"
  | "rate_limited";

/**
 * Records a customer's request for a voucher or key. Creates the page if it is new and the template permits that. Workers issue the token
 * and mail it. The same request within a day is a replay. Limits are checked here to refuse early. The worker that issues the token
 * enforces them.
 */
export const requestAccessToken = (
  deps: RequestAccessTokenDeps,
  call: CallContext,
  input: TokenInput,
): Promise<Result<TokenResult, Refusal<TokenRefusal>>> =>
  retryOnConflict(async () => {
    const addressKeys = deps.codes.addressKeys(input.email);
    const { page: known, sames, earlier, template, issuance } = await readAll(deps, input, addressKeys);
    const now = call.now();
    if (known && isOfAnother(known, input)) return refuse({ code: "landing_page_conflict" });
    if (!template || !issuance || !mayUse(input, issuance)) return refuse({ code: "access_token_template_not_found" });
    if (known && isReplay(earlier, now)) return ok({ page: known, request: earlier, replayed: true });
    const page = known ?? createPage(input, template, now);
    const counted = countKeysOf(deps.codes, input.email, template.templateId);
    const isNew = known === undefined;
    const refused = await whyRefused(deps, { page, isNew, issuance, counted }, now);
    if (refused) return refuse(refused);
    const request = await record(deps, call, input, { page, isNew, addressKeys, counted, sames, now });
    return ok({ page, request, replayed: false });
  });

const mayUse = ({ user }: TokenInput, { users }: Issuance): boolean => users.includes(user);

interface Asked {
  readonly page: LandingPage;
  readonly isNew: boolean;
  readonly issuance: Issuance;
  readonly counted: CountKeys;
}

/** Why the page takes no request of this customer now; undefined if it takes one. */
async function whyRefused(
  { accessTokens }: RequestAccessTokenDeps,
  { page, isNew, issuance, counted }: Asked,
  now: Instant,
): Promise<Refusal<"landing_page_not_found" | "landing_page_unavailable" | "rate_limited"> | undefined> {
  if (isNew && issuance.pages === "operators") return { code: "landing_page_not_found" };
  const unavailable = whyPageUnavailable(page, issuance, now);
  if (unavailable) return unavailable;
  const retryAfterSeconds = secondsUntilAll(await readCounts(accessTokens, counted, issuance), now);
  return retryAfterSeconds === undefined ? undefined : { code: "rate_limited", retryAfterSeconds };
}

interface Recording extends Pick<Asked, "page" | "isNew" | "counted"> {
  readonly addressKeys: readonly [string, ...string[]];
  readonly sames: readonly (SameRequest | undefined)[];
  readonly now: Instant;
}

/** Announces and commits the new request, with its page if that is new. */
async function record(
  deps: RequestAccessTokenDeps,
  call: CallContext,
  { landingPageId, button, email, locale }: TokenInput,
  { page, isNew, addressKeys: [addressKey, ...otherAddressKeys], counted, sames, now }: Recording,
): Promise<TokenRequest> {
  const drawn = { requestId: call.newId(), tokenId: call.newId() };
  const keys = {
    addressKey,
    ...(otherAddressKeys.length > 0 && { otherAddressKeys }),
    countKeys: [counted.mailbox[0], ...(counted.domain ? [counted.domain[0]] : [])],
  };
  const created = createTokenRequest({ ...drawn, landingPageId, button, email, locale, ...keys }, now);
  const command = { commandId: call.newId(), effects: created.effects, user: call.user };
  const { request } = created;
  const sameUnder = otherAddressKeys.map((key, i) => ({ addressKey: key, same: sames[i + 1] }));
  await announceAndCommit(deps, {
    subject: requestSubject(request),
    command,
    beside: isNew ? () => deps.landingPages.enlist(landingPageId) : undefined,
    call,
    commit: () =>
      deps.landingPages.create({ newPage: isNew ? page : undefined, request, same: sames[0], sameUnder, command }),
  });
  return request;
}

/**
 * Reads the page, its latest request by this button and address, and its template with the issuance. Each key of the address may have such
 * a request.
 */
async function readAll(
  deps: RequestAccessTokenDeps,
  { landingPageId, templateId, button }: TokenInput,
  addressKeys: readonly string[],
) {
  const [stored, sames, template, issuance] = await Promise.all([
    deps.landingPages.find(landingPageId),
    Promise.all(addressKeys.map((addressKey) => deps.landingPages.findSame({ landingPageId, button, addressKey }))),
    deps.accessTokenTemplates.find(templateId),
    deps.accessTokenTemplates.findIssuance(templateId),
  ]);
  const earlier = await latestOf(deps, sames);
  return { page: stored?.page, sames, earlier, template, issuance: issuance?.issuance };
}

/** The newest of the earlier requests that were found. */
async function latestOf(
  { landingPages }: { readonly landingPages: LandingPages },
  sames: readonly (SameRequest | undefined)[],
): Promise<TokenRequest | undefined> {
  const newest = sames
    .flatMap((same) => (same ? [same.key] : []))
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
  return newest && (await landingPages.findRequest(newest))?.request;
}

const isOfAnother = (page: LandingPage, { productId, templateId }: TokenInput): boolean =>
  page.productId !== productId || page.templateId !== templateId;
