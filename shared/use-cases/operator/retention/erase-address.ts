import { addressKeysOf, erasedRequest, requestHasEnded } from "../../../domain/landing-page.ts";
import type { AccessTokenTemplates } from "../../../stores/access-token-templates.ts";
import type { CallContext } from "../../../ports/clock.ts";
import type { Codes } from "../../../ports/codes.ts";
import type { RequestKey } from "../../../ports/subjects.ts";
import { retryOnConflict } from "../../outbox/retry-on-conflict.ts";
import { eachOf } from "../../each-of.ts";
import { countKeysOf } from "../../vouchers/count-tokens.ts";
import { allPages } from "../places.ts";
import { commitTokenRequest, type CommitTokenRequestDeps } from "../../vouchers/commit-token-request.ts";
import type { Needs } from "../../needs.ts";

export interface EraseAddressDeps extends CommitTokenRequestDeps, Needs<"marks" | "retention"> {
  readonly accessTokenTemplates: Pick<AccessTokenTemplates, "list">;
  readonly codes: Pick<Codes, "addressKeys" | "countKeys">;
}

/** Counts of the data stored about an address. */
export interface StoredOfAddress {
  /** Token requests that name it. */
  readonly requests: number;
  /** Requests among these that have not ended. Erasing the address cancels their mail. */
  readonly underWay: number;
}

/** Counts of the erased data. */
export interface ErasedOfAddress extends StoredOfAddress {
  /** Removed rows under a keyed hash of the address. */
  readonly rows: number;
}

/** Counts the data stored about the address, under every known code key. Changes nothing. Throws `Unavailable`. */
export async function findAddress(deps: EraseAddressDeps, email: string): Promise<StoredOfAddress> {
  const keys = deps.codes.addressKeys(email);
  const requests = await requestsOf(deps, keys);
  const found = await eachOf(requests, (key) => deps.landingPages.findRequest(key));
  const named = found.flatMap((stored) => (stored && isOf(stored.request, keys) ? [stored.request] : []));
  return { requests: named.length, underWay: named.filter((request) => !requestHasEnded(request)).length };
}

/**
 * Erases everything that names the customer of this address, under every known code key:
 *
 * - the address, its mask and its keyed hashes in token requests
 * - the rows by which a repeated request is recognised
 * - the list of the address's requests
 * - the counts of its mailbox and its domain
 *
 * Tokens stay valid, since they do not name a customer. A request that is under way ends without a mail. A mail that is being sent at this
 * moment still arrives. The call may be repeated, because a worker that had begun before may write a keyed hash once more. Throws
 * `Unavailable`.
 */
export async function eraseAddress(deps: EraseAddressDeps, call: CallContext, email: string): Promise<ErasedOfAddress> {
  const keys = deps.codes.addressKeys(email);
  const requests = await requestsOf(deps, keys);
  const erased = await eachOf(requests, (key) => retryOnConflict(() => eraseRequest(deps, call, key, keys)));
  let rows = erased.reduce((sum, one) => sum + one.rows, 0);
  for (const key of keys) rows += await retryOnConflict(() => deps.retention.forgetAddress(key));
  for (const key of await countKeys(deps, email)) rows += await retryOnConflict(() => deps.retention.forgetCount(key));
  return {
    requests: erased.filter(({ was }) => was !== "none").length,
    underWay: erased.filter(({ was }) => was === "under way").length,
    rows,
  };
}

/** The keys of the mailbox and domain counts of the address, for every template. */
async function countKeys({ accessTokenTemplates, codes }: EraseAddressDeps, email: string): Promise<string[]> {
  const templates = await accessTokenTemplates.list();
  const keys = templates.map(({ templateId }) => countKeysOf(codes, email, templateId));
  return [...new Set(keys.flatMap(({ mailbox, domain = [] }) => [...mailbox, ...domain]))];
}

/**
 * The requests that may be of the address. Requests that a worker has seen are entered under the address. All open requests of every page
 * are included, because the others are among them.
 */
async function requestsOf(deps: EraseAddressDeps, keys: readonly string[]): Promise<RequestKey[]> {
  const pages = await allPages(deps);
  const [entered, open] = await Promise.all([
    Promise.all(keys.map((key) => deps.retention.requestsOf(key))),
    eachOf(pages, (page) => deps.marks.open(page)),
  ]);
  const marked = open.flat().filter((subject) => subject.kind === "tokenRequest");
  return [
    ...new Map([...entered.flat(), ...marked].map((key) => [`${key.landingPageId}~${key.requestId}`, key])).values(),
  ];
}

async function eraseRequest(
  deps: EraseAddressDeps,
  call: CallContext,
  key: RequestKey,
  keys: readonly string[],
): Promise<{ readonly was: "ended" | "under way" | "none"; readonly rows: number }> {
  const stored = await deps.landingPages.findRequest(key);
  if (!stored || !isOf(stored.request, keys)) return { was: "none", rows: 0 };
  const { request } = stored;
  // The rows that lead to the request are removed first. Until they are gone, the request still names the address, so a repeated call finds
  // them.
  const rows = await deps.retention.removeSame(request, [...new Set([...keys, ...addressKeysOf(request)])]);
  await commitTokenRequest(deps, call, erasedRequest(request, call.now()), stored);
  return { was: requestHasEnded(request) ? "ended" : "under way", rows };
}

const isOf = (request: Parameters<typeof addressKeysOf>[0], keys: readonly string[]): boolean =>
  addressKeysOf(request).some((key) => keys.includes(key));
