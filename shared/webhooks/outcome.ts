import { isOwnMistake } from "../ports/failures.ts";
import { RefusedAddress } from "./public-only-connector.ts";
import { readRetryAfter } from "./retry-after.ts";

type FailureReason = "refused-address" | "time-out" | "connection" | "tls" | "status" | "challenge";

/** The outcome of one attempt. `ms` is the time until the partner's server responded or the attempt failed. */
export type WebhookOutcome =
  | { readonly kind: "delivered"; readonly status: number; readonly ms: number }
  | { readonly kind: "gone"; readonly status: 410; readonly ms: number }
  | {
      readonly kind: "failed";
      readonly status?: number | undefined;
      readonly reason: FailureReason;
      readonly retryAfterSeconds?: number | undefined;
      readonly ms: number;
    };

export interface Response {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly ms: number;
}

/**
 * The outcome of a response. Only 2xx is success. A redirect is not followed. 410 ends all attempts. `now` is in milliseconds since 1970.
 */
export function outcomeOfResponse({ status, retryAfter, ms }: Response, now: number): WebhookOutcome {
  if (status >= 200 && status < 300) return { kind: "delivered", status, ms };
  if (status === 410) return { kind: "gone", status, ms };
  const busy = status === 429 || status === 503;
  const retryAfterSeconds = busy ? readRetryAfter(retryAfter, now) : undefined;
  return { kind: "failed", status, reason: "status", retryAfterSeconds, ms };
}

/** undici's code for a mistake of its caller, the platform. */
const WRONG_CALL = "UND_ERR_INVALID_ARG";
const timeOuts = new Set(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT", "ETIMEOUT"]);
/** The error codes of OpenSSL, Node and certificate verification share no prefix, only these words. */
const tlsCode = /CERT|CRL|SSL|TLS|EPROTO|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH/;

/** The outcome of an attempt without a response. Rethrows an error in the platform itself, which must not count as an attempt. */
export function outcomeOfTrouble(error: unknown, ms: number): WebhookOutcome {
  return { kind: "failed", reason: reasonOf(error), ms };
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof RefusedAddress) return "refused-address";
  if (error instanceof DOMException && error.name === "TimeoutError") return "time-out";
  const code = codeOf(error);
  if (isOwnMistake(error) || code === WRONG_CALL) throw error;
  if (code === undefined) return "connection";
  if (timeOuts.has(code)) return "time-out";
  return tlsCode.test(code) ? "tls" : "connection";
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
