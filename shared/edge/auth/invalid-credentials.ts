import type { Problem } from "../../contracts/objects/problem.ts";
import type { KeyStatus } from "../../domain/api-key.ts";
import type { FieldProblem } from "../../domain/refusal.ts";
import type { ScopeNames } from "../../ports/log.ts";

/** The headers that prove a caller, and the gateway's own. */
export const CREDENTIALS = {
  apikey: "apikey",
  subscriptionKey: "Ocp-Apim-Subscription-Key",
  functionKey: "x-functions-key",
  terminalKey: "x-terminal-key",
  basic: "Authorization",
} as const;
export type CredentialHeader = (typeof CREDENTIALS)[keyof typeof CREDENTIALS];

/**
 * Why a caller is refused, for the log. `scope` means that a valid key lacks the operation's scope. The response only distinguishes a
 * missing credential from a wrong one.
 */
type WhyRefused = "missing" | "malformed" | "unknown" | "wrong" | "scope" | Exclude<KeyStatus, "active">;

/** The log's members about a refused caller. `key` and `partner` were proven. `claimedKey` and `claimedUser` were not. */
export interface RefusedInLog extends Pick<ScopeNames, "partner" | "key" | "claimedKey" | "claimedUser"> {
  readonly refused: WhyRefused;
}

/** A refused caller. */
export interface Refused {
  readonly problem: Problem;
  readonly log: RefusedInLog;
}

/**
 * The 401 that names the header. It only distinguishes a missing credential from a wrong one. An unknown, wrong, expired or revoked key
 * gets the same response, and so does a key of a disabled partner. The gateway's fragment `refuse-invalid-credentials` uses the same words.
 */
export function invalidCredentials(header: CredentialHeader, presented: string | null): Problem {
  const wrong: FieldProblem = presented
    ? { field: header, code: "invalid", message: "is not accepted: it is wrong, or not valid any more" }
    : { field: header, code: "required", message: "is missing" };
  return { code: "invalid_credentials", errors: [wrong] };
}
