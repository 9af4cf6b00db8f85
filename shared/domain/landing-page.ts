import { z } from "zod";
import type { AccessTokenTemplate } from "./access-token-template.ts";
import { maskAddress } from "./email-address.ts";
import type { Effect } from "./effects.ts";
import type { RecordOf } from "./record.ts";
import type { Refusal } from "./refusal.ts";
import { after, day, msBetween, uncheckedInstant, type Instant } from "./time.ts";

/** Where customers ask for a voucher or key: one product, one template. */
export const landingPageRecord = z.object({
  landingPageId: z.string(),
  productId: z.string(),
  templateId: z.string(),
  /** Identifiers as the caller spelled them; the ones above are in lower case. */
  asReceived: z.object({ landingPageId: z.string(), productId: z.string(), templateId: z.string() }),
  name: z.string(),
  status: z.enum(["active", "disabled"]),
  endsAt: uncheckedInstant.optional(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface LandingPage extends RecordOf<typeof landingPageRecord> {}
export const pageStates = ["active", "disabled", "expired"] as const;
export type PageState = (typeof pageStates)[number];

export const requestStates = ["received", "issued", "emailed", "emailFailed"] as const;
export type RequestState = (typeof requestStates)[number];
export const requestReasons = ["rateLimited", "addressRefused", "mailServerSilent", "tokenRevoked"] as const;
export type RequestReason = (typeof requestReasons)[number];

/** One customer's request for a token. */
export const tokenRequestRecord = z.object({
  requestId: z.string(),
  landingPageId: z.string(),
  button: z.int(),
  /** Whole only until the mail is out, or given up. */
  email: z.string().optional(),
  maskedEmail: z.string(),
  /** What the address is recognised by when it is gone. */
  addressKey: z.string(),
  /** Drawn with the request, so that issuing twice gives one token. */
  tokenId: z.string(),
  status: z.enum(requestStates),
  statusReason: z.enum(requestReasons).optional(),
  sequence: z.int(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
  /** The day under which it is listed, which means also that it is listed as open. */
  listedOn: day.optional(),
});
export interface TokenRequest extends RecordOf<typeof tokenRequestRecord> {}

/** What one commit writes of a request, and what it makes happen elsewhere. */
export interface RequestChange {
  readonly request: TokenRequest;
  readonly effects: readonly Effect<"tokenRequest">[];
}

/** The page that a first request makes: what it says of the page, and nothing that it says of the customer. */
export const createPage = (
  {
    landingPageId,
    productId,
    templateId,
    asReceived,
  }: Pick<LandingPage, "landingPageId" | "productId" | "templateId" | "asReceived">,
  { name, endsAt }: AccessTokenTemplate,
  now: Instant,
): LandingPage => ({
  landingPageId,
  productId,
  templateId,
  asReceived: {
    landingPageId: asReceived.landingPageId,
    productId: asReceived.productId,
    templateId: asReceived.templateId,
  },
  name,
  endsAt,
  status: "active",
  createdAt: now,
  updatedAt: now,
});

export const pageState = ({ status, endsAt }: LandingPage, now: Instant): PageState =>
  status === "active" && endsAt !== undefined && endsAt <= now ? "expired" : status;

/** A new request: a worker shall issue its token. */
export const createTokenRequest = (
  asked: Pick<TokenRequest, "requestId" | "landingPageId" | "button" | "addressKey" | "tokenId"> & {
    readonly email: string;
  },
  now: Instant,
): RequestChange => ({
  request: {
    ...asked,
    maskedEmail: maskAddress(asked.email),
    status: "received",
    sequence: 1,
    createdAt: now,
    updatedAt: now,
  },
  effects: [{ kind: "issue" }],
});

/** The token is there: a worker shall mail it. */
export const tokenIssued = (request: TokenRequest, now: Instant): RequestChange | undefined =>
  request.status === "received" ? { ...moved(request, "issued", now), effects: [{ kind: "mail" }] } : undefined;

/** The mail is with the customer's mail server: the address is forgotten. */
export const mailSent = (request: TokenRequest, now: Instant): RequestChange | undefined =>
  request.status === "issued" ? forgotten(moved(request, "emailed", now)) : undefined;

/** There will be no mail, and no other try: the address is forgotten too. */
export function mailGivenUp(request: TokenRequest, reason: RequestReason, now: Instant): RequestChange | undefined {
  if (request.status !== "received" && request.status !== "issued") return undefined;
  return forgotten(moved({ ...request, statusReason: reason }, "emailFailed", now));
}

const moved = (request: TokenRequest, status: RequestState, now: Instant): RequestChange => ({
  request: { ...request, status, sequence: request.sequence + 1, updatedAt: now },
  effects: [],
});

const forgotten = ({ request, effects }: RequestChange): RequestChange => ({
  request: { ...request, email: undefined },
  effects,
});

/** Nothing of it is left to do: its mail is out, or given up. */
export const requestHasEnded = ({ status }: TokenRequest): boolean => status === "emailed" || status === "emailFailed";

const REPLAY_SECONDS = 24 * 3600;

/** Within a day the same page, button and address is the same request, not another token; one that got no token may ask again. */
export const isReplay = (earlier: TokenRequest, now: Instant): boolean =>
  msBetween(earlier.createdAt, now) < REPLAY_SECONDS * 1000 && earlier.statusReason !== "rateLimited";

/** A token that an address was sent, for the limit on how many. */
export const issuedTokenRecord = z.object({ tokenId: z.string(), at: uncheckedInstant });
export interface IssuedToken extends RecordOf<typeof issuedTokenRecord> {}

/** So many tokens go to one address within an hour, whatever pages they are asked on. */
const MAX_TOKENS = 5;
const WINDOW_SECONDS = 3600;

/** Those that still count. */
export const recentTokens = (issued: readonly IssuedToken[], now: Instant): IssuedToken[] =>
  issued.filter(({ at }) => msBetween(at, now) < WINDOW_SECONDS * 1000);

/** Seconds until the address may be sent another token; undefined when it may be now. */
export function secondsUntilAnother(issued: readonly IssuedToken[], now: Instant): number | undefined {
  const recent = recentTokens(issued, now).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const oldest = recent.at(-MAX_TOKENS);
  return oldest && Math.max(1, Math.ceil(msBetween(now, after(oldest.at, WINDOW_SECONDS)) / 1000));
}

/** Why the page gives this address no token now; undefined where it may. */
export function whyNoToken(
  page: LandingPage,
  issued: readonly IssuedToken[],
  now: Instant,
): Refusal<"landing_page_unavailable" | "rate_limited"> | undefined {
  const state = pageState(page, now);
  if (state !== "active") return { code: "landing_page_unavailable", detail: `The page is ${state}.` };
  const retryAfterSeconds = secondsUntilAnother(issued, now);
  return retryAfterSeconds === undefined ? undefined : { code: "rate_limited", retryAfterSeconds };
}
