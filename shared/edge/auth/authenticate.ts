import type { HttpRequest } from "@azure/functions";
import { keyStatus } from "../../domain/api-key.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ApiKey, Partners, Scope } from "../../stores/partners.ts";
import type { KeyedTerminal, Terminals } from "../../stores/terminals.ts";
import type { Caller, TerminalCaller } from "../../use-cases/caller.ts";
import type { CheckBasic } from "./basic-credentials.ts";
import { isKey, parseKey, type Peppers, type PresentedKey } from "./credentials.ts";
import { CREDENTIALS, invalidCredentials, type Refused, type RefusedInLog } from "./invalid-credentials.ts";
import { networkOf, type NoteKeyUse } from "./key-uses.ts";
import type { ProvenKey, RehashKey } from "./rehash-keys.ts";

export type ApiName = "partners" | "consumer" | "terminals";

/** The callers of an endpoint: its API, and how a request proves its caller. */
export interface Auth<Who = unknown> {
  readonly api: ApiName;
  /** The scopes of which a partner's key must have one. */
  readonly scopes?: readonly Scope[];
  /** Requires Basic credentials as well. */
  readonly basic?: boolean;
  readonly authenticate: (request: HttpRequest, deps: AuthDeps) => Promise<Result<Who, Refused>>;
}

/** The dependencies of authentication. */
export interface AuthDeps {
  readonly partners: Partners;
  readonly terminals: Terminals;
  readonly peppers: Peppers;
  readonly rehashKey: RehashKey;
  readonly noteKeyUse: NoteKeyUse;
  readonly checkBasic: CheckBasic;
  readonly clock: Clock;
}

export const API_KEY_PREFIX = "pk";
export const TERMINAL_KEY_PREFIX = "tk";

/** Why a key is refused that lacks the scope of a request. Undefined if it has the scope. */
export const lacksScope = (
  { scopes }: { readonly scopes: readonly Scope[] },
  ...needed: readonly Scope[]
): Refusal<"forbidden"> | undefined =>
  needed.some((scope) => scopes.includes(scope))
    ? undefined
    : { code: "forbidden", detail: `The key lacks the scope ${needed.join(" or ")}.` };

/**
 * The Partners API, for keys that have one of the scopes. The `apikey` alone identifies the partner. An unknown key, a wrong secret and an
 * inactive key all get the same 401.
 */
export const partner = (...scopes: readonly Scope[]): Auth<Caller & { readonly scopes: readonly Scope[] }> => ({
  api: "partners",
  scopes,
  async authenticate({ headers }, { partners, peppers, rehashKey, noteKeyUse, clock }) {
    const sent = headers.get(CREDENTIALS.apikey);
    const problem = invalidCredentials(CREDENTIALS.apikey, sent);
    const presented = parseKey(sent, API_KEY_PREFIX);
    if (!presented) return refuse({ problem, log: { refused: sent ? "malformed" : "missing" } });
    const key = await partners.findKey(presented.keyId);
    const owner = { keyId: presented.keyId, partnerId: key?.partnerId ?? "" };
    const isProven = isKey(presented.secret, key, peppers, owner);
    if (!key || !isProven)
      return refuse({ problem, log: { refused: key ? "wrong" : "unknown", ...claimed(presented, key) } });
    const { keyId, partnerId, hash, pepperId } = key;
    const proven = { partner: partnerId, key: keyId };
    const status = keyStatus(key, clock.now());
    if (status !== "active") return refuse({ problem, log: { refused: status, ...proven } });
    noteKeyUse({ key, network: networkOf(headers) });
    const replace: ProvenKey["replace"] = (was, next) => partners.rehashKey(keyId, was, next);
    rehashKey({
      name: `${API_KEY_PREFIX}_${keyId}`,
      owner,
      of: { partner: partnerId },
      secret: presented.secret,
      stored: { hash, pepperId },
      replace,
    });
    const lacking = lacksScope(key, ...scopes);
    if (lacking) return refuse({ problem: lacking, log: { refused: "scope", ...proven } });
    return ok({ partnerId, keyId, scopes: key.scopes, terminalIds: key.terminalIds });
  },
});

/**
 * The key that a refused caller claims, for the log. It is logged only if it exists or has the form of the platform's keys. A caller may
 * have put a secret in its place.
 */
const claimed = ({ keyId }: PresentedKey, key: ApiKey | undefined): Pick<RefusedInLog, "claimedKey"> =>
  key || /^[0-9a-f]{16}$/.test(keyId) ? { claimedKey: keyId } : {};

/**
 * The Terminals API. `x-terminal-key` proves a terminal. The key's identifier is the terminal's own, in lower case and without dashes. No
 * other form is accepted, because the gateway counts calls by the key as written. While a key is being replaced, the former key is accepted
 * too.
 */
export const terminal: Auth<TerminalCaller> = {
  api: "terminals",
  async authenticate({ headers }, { terminals, peppers, rehashKey, clock }) {
    const sent = headers.get(CREDENTIALS.terminalKey);
    const problem = invalidCredentials(CREDENTIALS.terminalKey, sent);
    const presented = parseKey(sent, TERMINAL_KEY_PREFIX);
    const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(presented?.keyId ?? "");
    if (!presented || !parts) return refuse({ problem, log: { refused: sent ? "malformed" : "missing" } });
    const known = await terminals.findKey(parts.slice(1).join("-"));
    const { keyId, secret } = presented;
    const key = provenKey(secret, known, peppers, clock.now());
    if (!known || !key) return refuse({ problem, log: { refused: known ? "wrong" : "unknown", claimedKey: keyId } });
    const { terminalId, keyHash: hash, pepperId } = known;
    const replace: ProvenKey["replace"] = (was, next) => terminals.rehashKey(terminalId, was, next);
    // A former key ends soon, so it keeps its hash.
    if (key === "present")
      rehashKey({
        name: `${TERMINAL_KEY_PREFIX}_${keyId}`,
        owner: { keyId: terminalId, partnerId: known.partnerId },
        of: { terminal: terminalId },
        secret,
        stored: { hash, pepperId },
        replace,
      });
    return ok({ terminal: known });
  },
};

/** The terminal's key that has this secret: the present one, or the former one until it ends. */
function provenKey(
  secret: string,
  known: KeyedTerminal | undefined,
  peppers: Peppers,
  now: Instant,
): "present" | "former" | undefined {
  const owner = { keyId: known?.terminalId ?? "", partnerId: known?.partnerId ?? "" };
  const isOne = (key: Pick<KeyedTerminal, "keyHash" | "pepperId"> | undefined): boolean =>
    isKey(secret, key && { hash: key.keyHash, pepperId: key.pepperId }, peppers, owner);
  if (isOne(known)) return "present";
  const former = known?.formerKey;
  return former && former.endsAt > now && isOne(former) ? "former" : undefined;
}

/** A caller of the Consumer Web API. `user` is set only if the endpoint requires Basic credentials. */
export interface ConsumerCaller {
  readonly user?: string;
}

/** The Consumer Web API. The host has already checked the function key. With `basic`, Basic credentials are checked here. */
export const consumer = ({ basic = false }: { readonly basic?: boolean } = {}): Auth<ConsumerCaller> => ({
  api: "consumer",
  basic,
  async authenticate({ headers }, { checkBasic }) {
    if (!basic) return ok({});
    const sent = headers.get(CREDENTIALS.basic);
    const checked = checkBasic(sent);
    return checked.ok ? checked : refuse({ problem: invalidCredentials(CREDENTIALS.basic, sent), log: checked.error });
  },
});
