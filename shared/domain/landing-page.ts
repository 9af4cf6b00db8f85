import * as z from "zod";
import type { AccessTokenTemplate } from "./access-token-template.ts";
import { maskAddress } from "./email-address.ts";
import type { Effect } from "./effects.ts";
import { whyNotIssuing, type Issuance } from "./issuance.ts";
import type { RecordOf } from "./record.ts";
import type { Refusal } from "./refusal.ts";
import { dayOf, msBetween, uncheckedInstant, type Instant } from "./time.ts";

/** A page on which customers request vouchers or keys: one product, one template. */
export const landingPageRecord = z.object({
  landingPageId: z.string(),
  productId: z.string(),
  templateId: z.string(),
  /** Identifiers as received from the caller; the ones above are in lower case. */
  asReceived: z.object({ landingPageId: z.string(), productId: z.string(), templateId: z.string() }),
  name: z.string(),
  status: z.enum(["active", "disabled"]),
  endsAt: uncheckedInstant.optional(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface LandingPage extends RecordOf<typeof landingPageRecord> {}
const pageStates = ["active", "disabled", "expired"] as const;
export type PageState = (typeof pageStates)[number];

const requestStates = ["received", "issued", "emailed", "emailFailed"] as const;
export type RequestState = (typeof requestStates)[number];
const requestReasons = [
  "rateLimited",
  "limitReached",
  "templateStopped",
  "addressRefused",
  "mailRefused",
  "mailServerSilent",
  "tokenRevoked",
] as const;
export type RequestReason = (typeof requestReasons)[number];

/** One customer's request for a token. */
export const tokenRequestRecord = z.object({
  requestId: z.string(),
  landingPageId: z.string(),
  button: z.int(),
  /** The address, kept until the mail was sent or given up. */
  email: z.string().optional(),
  maskedEmail: z.string(),
  /** The locale of the mail, a BCP 47 tag. If the request names none, the template's locale is used. */
  locale: z.string().optional(),
  /** The keyed hash by which the address is recognised after it was erased. */
  addressKey: z.string(),
  /** The hashes under the platform's other keys at that time. Absent if it had only one key. */
  otherAddressKeys: z.array(z.string()).optional(),
  /** The keyed hashes under which its token is counted: of its mailbox, and of its domain. */
  countKeys: z.array(z.string()).optional(),
  /** Drawn with the request, so that issuing it twice gives one token. */
  tokenId: z.string(),
  status: z.enum(requestStates),
  statusReason: z.enum(requestReasons).optional(),
  sequence: z.int(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface TokenRequest extends RecordOf<typeof tokenRequestRecord> {}

/** A change of a request: the new record and its effects. One commit writes them. */
export interface RequestChange {
  readonly request: TokenRequest;
  readonly effects: readonly Effect<"tokenRequest">[];
}

/** The page that its first request creates. It takes the page's members from the request, and nothing about the customer. */
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

/** A new request. Its effect has a worker issue the token. */
export const createTokenRequest = (
  requested: Pick<
    TokenRequest,
    "requestId" | "landingPageId" | "button" | "addressKey" | "otherAddressKeys" | "countKeys" | "tokenId" | "locale"
  > & {
    readonly email: string;
  },
  now: Instant,
): RequestChange => ({
  request: {
    ...requested,
    maskedEmail: maskAddress(requested.email),
    status: "received",
    sequence: 1,
    createdAt: now,
    updatedAt: now,
  },
  effects: [{ kind: "issue" }],
});

/** Records that the token was issued. The effect has a worker mail it. Undefined if the request no longer waits for a token. */
export const tokenIssued = (request: TokenRequest, now: Instant): RequestChange | undefined =>
  request.status === "received" ? { ...moved(request, "issued", now), effects: [{ kind: "mail" }] } : undefined;

/** Records that the customer's mail server took the mail, and erases the address. Undefined if no mail was due. */
export const mailSent = (request: TokenRequest, now: Instant): RequestChange | undefined =>
  request.status === "issued" ? forgotten(moved(request, "emailed", now)) : undefined;

/** Ends a request without a mail or another try, and erases the address. Undefined if the request has already ended. */
export function mailGivenUp(request: TokenRequest, reason: RequestReason, now: Instant): RequestChange | undefined {
  if (request.status !== "received" && request.status !== "issued") return undefined;
  return forgotten(moved({ ...request, statusReason: reason }, "emailFailed", now));
}

/** The least time between two mails of one request. It bounds what an operator's loop can send to a customer. */
const MAIL_AGAIN_SECONDS = 60;

/** Seconds until the mail of an ended request may be sent again. Undefined if it may be sent now. */
export function secondsUntilMailAgain({ updatedAt }: TokenRequest, now: Instant): number | undefined {
  const waited = msBetween(updatedAt, now) / 1000;
  return waited < MAIL_AGAIN_SECONDS ? Math.max(1, Math.ceil(MAIL_AGAIN_SECONDS - waited)) : undefined;
}

/** The address to which a mail is sent again, with the keyed hashes by which it is recognised. */
export interface MailAgain {
  readonly email: string;
  readonly addressKeys: readonly string[];
}

/**
 * Has a worker mail the token once more, to this address. The request then keeps the hashes of every address that it was mailed to, so that
 * each of them leads to it. Undefined if a mail is under way.
 */
export function mailAgain(
  request: TokenRequest,
  { email, addressKeys }: MailAgain,
  now: Instant,
): RequestChange | undefined {
  if (!requestHasEnded(request)) return undefined;
  const others = new Set([...(request.otherAddressKeys ?? []), ...addressKeys]);
  others.delete(request.addressKey);
  const again = { ...request, statusReason: undefined, email, maskedEmail: maskAddress(email) };
  const known = others.size > 0 ? { otherAddressKeys: [...others] } : {};
  return { ...moved({ ...again, ...known }, "issued", now), effects: [{ kind: "mail" }] };
}

/** The sequence of a request when its first mail is due. */
const FIRST_MAIL = 2;

/**
 * Names the mail that is due. The name is the same on every attempt. If the mail is sent again, its name differs, so that no mailbox drops
 * it as a copy.
 */
export const mailNameOf = ({ requestId, sequence }: TokenRequest): string =>
  sequence === FIRST_MAIL ? requestId : `${requestId}.${sequence}`;

/** Replaces an erased address and its hash. */
const ERASED = { maskedEmail: "***", addressKey: "erased" };

/** The request without anything that names its customer. If it is under way, it ends without a mail and without a reason. */
export function erasedRequest(request: TokenRequest, now: Instant): RequestChange {
  const { email: _, otherAddressKeys: __, countKeys: ___, ...kept } = request;
  return moved({ ...kept, ...ERASED }, requestHasEnded(request) ? request.status : "emailFailed", now);
}

const moved = (request: TokenRequest, status: RequestState, now: Instant): RequestChange => ({
  request: { ...request, status, sequence: request.sequence + 1, updatedAt: now },
  effects: [],
});

const forgotten = ({ request, effects }: RequestChange): RequestChange => ({
  request: { ...request, email: undefined },
  effects,
});

/** The hashes of every address that the request was mailed to, under every key at that time. Each may lead to it. */
export const addressKeysOf = ({ addressKey, otherAddressKeys = [] }: TokenRequest): readonly string[] => [
  addressKey,
  ...otherAddressKeys,
];

/** The request has ended: its mail was sent, or given up. */
export const requestHasEnded = ({ status }: TokenRequest): boolean => status === "emailed" || status === "emailFailed";

const REPLAY_SECONDS = 24 * 3600;

/** A request that ends for one of these reasons has got no token. */
const withoutToken: ReadonlySet<RequestReason | undefined> = new Set([
  "rateLimited",
  "limitReached",
  "templateStopped",
]);
export const gotNoToken = ({ statusReason }: TokenRequest): boolean => withoutToken.has(statusReason);

/**
 * Whether a request repeats an earlier one: the same page, button and address within a day. A repetition brings no other token. A request
 * that got no token may be made again.
 */
export const isReplay = (earlier: TokenRequest | undefined, now: Instant): earlier is TokenRequest =>
  earlier !== undefined && msBetween(earlier.createdAt, now) < REPLAY_SECONDS * 1000 && !gotNoToken(earlier);

/** Why the page issues no token now to any customer. Undefined if it may issue. */
export function whyPageUnavailable(
  page: LandingPage,
  issuance: Issuance,
  now: Instant,
): Refusal<"landing_page_unavailable"> | undefined {
  const state = pageState(page, now);
  if (state !== "active") return { code: "landing_page_unavailable", detail: unavailable[state] };
  const why = whyNotIssuing(issuance, dayOf(now));
  return why && { code: "landing_page_unavailable", detail: unavailable[why] };
}

const unavailable = {
  disabled: "The operator has disabled the page. Ask the operator if it should run.",
  expired: "The offer of the page has ended. Ask the operator if it should still run.",
  templateStopped: "The page does not issue anything at present.",
  limitReached: "The page has reached its limit.",
} as const;
