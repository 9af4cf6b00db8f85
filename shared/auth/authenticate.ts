import type { HttpRequest } from "@azure/functions";
import type { Problem } from "../contracts/objects/problem.ts";
import { keyStatus } from "../domain/api-key.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import type { Instant } from "../domain/time.ts";
import type { Clock } from "../ports/clock.ts";
import type { Partners, Scope } from "../ports/partners.ts";
import type { KeyedTerminal, Terminals } from "../ports/terminals.ts";
import type { Caller, TerminalCaller } from "../use-cases/auth/caller.ts";
import type { CheckBasic } from "./basic-credentials.ts";
import { isSecret, parseKey, type Peppers } from "./credentials.ts";
import { CREDENTIALS, invalidCredentials } from "./invalid-credentials.ts";
import type { ProvenKey, RehashKey } from "./rehash-keys.ts";

export type ApiName = "partners" | "consumer" | "terminals";

/** Who may call an endpoint: the API that it belongs to, and how a request proves its caller. */
export interface Auth<Who = unknown> {
  readonly api: ApiName;
  /** The scope that a partner's key must have. */
  readonly scope?: Scope;
  /** Requires Basic credentials as well. */
  readonly basic?: boolean;
  readonly authenticate: (request: HttpRequest, deps: AuthDeps) => Promise<Result<Who, Problem>>;
}

/** What callers are authenticated with. */
export interface AuthDeps {
  readonly partners: Partners;
  readonly terminals: Terminals;
  readonly peppers: Peppers;
  readonly rehashKey: RehashKey;
  readonly checkBasic: CheckBasic;
  readonly clock: Clock;
}

export const API_KEY_PREFIX = "pk";
export const TERMINAL_KEY_PREFIX = "tk";

/**
 * The Partners API, for keys that have the scope. The `apikey` alone identifies the partner. An unknown or wrong key and one that is not active
 * are the same 401.
 */
export const partner = (scope: Scope): Auth<Caller> => ({
  api: "partners",
  scope,
  async authenticate(request, { partners, peppers, rehashKey, clock }) {
    const sent = request.headers.get(CREDENTIALS.apikey);
    const presented = parseKey(sent, API_KEY_PREFIX);
    if (!presented) return refuse(invalidCredentials(CREDENTIALS.apikey, sent));
    const key = await partners.findKey(presented.keyId);
    const proven = isSecret(presented.secret, key, peppers);
    if (!key || !proven || keyStatus(key, clock.now()) !== "active") {
      return refuse(invalidCredentials(CREDENTIALS.apikey, sent));
    }
    const { keyId, hash, pepperId } = key;
    const replace: ProvenKey["replace"] = (was, next) => partners.rehashKey(keyId, was, next);
    rehashKey({
      name: `${API_KEY_PREFIX}_${keyId}`,
      owner: { partner: key.partnerId },
      secret: presented.secret,
      stored: { hash, pepperId },
      replace,
    });
    if (!key.scopes.includes(scope)) return refuse({ code: "forbidden", detail: `The key lacks the scope ${scope}.` });
    return ok({ partnerId: key.partnerId, keyId: key.keyId, scopes: key.scopes, terminalIds: key.terminalIds });
  },
});

/**
 * The Terminals API. `x-terminal-key` proves a terminal; the key's identifier is the terminal's own, in lower case and without dashes. No
 * other form is accepted: the gateway counts calls by the key as it is written. While a key is replaced, the former one is accepted too.
 */
export const terminal: Auth<TerminalCaller> = {
  api: "terminals",
  async authenticate(request, { terminals, peppers, rehashKey, clock }) {
    const sent = request.headers.get(CREDENTIALS.terminalKey);
    const presented = parseKey(sent, TERMINAL_KEY_PREFIX);
    const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(presented?.keyId ?? "");
    if (!presented || !parts) return refuse(invalidCredentials(CREDENTIALS.terminalKey, sent));
    const known = await terminals.findKey(parts.slice(1).join("-"));
    const { keyId, secret } = presented;
    const key = provenKey(secret, known, peppers, clock.now());
    if (!known || !key) return refuse(invalidCredentials(CREDENTIALS.terminalKey, sent));
    const { terminalId, keyHash: hash, pepperId } = known;
    const replace: ProvenKey["replace"] = (was, next) => terminals.rehashKey(terminalId, was, next);
    // A former key ends soon: it keeps its hash.
    if (key === "present")
      rehashKey({
        name: `${TERMINAL_KEY_PREFIX}_${keyId}`,
        owner: { terminal: terminalId },
        secret,
        stored: { hash, pepperId },
        replace,
      });
    return ok({ terminal: known });
  },
};

/** Which of the terminal's keys has this secret: the present one, or the former one until it ends. */
function provenKey(
  secret: string,
  known: KeyedTerminal | undefined,
  peppers: Peppers,
  now: Instant,
): "present" | "former" | undefined {
  const isKey = (key: Pick<KeyedTerminal, "keyHash" | "pepperId"> | undefined): boolean =>
    isSecret(secret, key && { hash: key.keyHash, pepperId: key.pepperId }, peppers);
  if (isKey(known)) return "present";
  const former = known?.formerKey;
  return former && former.endsAt > now && isKey(former) ? "former" : undefined;
}

/** A caller of the Consumer Web API. The user is known where the endpoint demands Basic credentials. */
export interface ConsumerCaller {
  readonly user?: string;
}

/** The Consumer Web API. The host has checked the function key. If `basic` demands Basic credentials, they are checked here. */
export const consumer = ({ basic = false }: { readonly basic?: boolean } = {}): Auth<ConsumerCaller> => ({
  api: "consumer",
  basic,
  async authenticate({ headers }, { checkBasic }) {
    if (!basic) return ok({});
    const sent = headers.get(CREDENTIALS.basic);
    const user = checkBasic(sent);
    return user === undefined ? refuse(invalidCredentials(CREDENTIALS.basic, sent)) : ok({ user });
  },
});
