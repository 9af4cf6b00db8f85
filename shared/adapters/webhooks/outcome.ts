import { isOwnMistake } from "../../ports/failures.ts";
import { RefusedAddress } from "./public-only-agents.ts";
import { readRetryAfter } from "./retry-after.ts";

type FailureReason = "refused-address" | "time-out" | "connection" | "malformed" | "tls" | "status" | "challenge";

/** The outcome of one attempt. `ms` is the time until the partner's server responded or the attempt failed. */
export type WebhookOutcome =
  | { readonly kind: "delivered"; readonly status: number; readonly ms: number }
  | { readonly kind: "gone"; readonly status: 410; readonly ms: number }
  | {
      readonly kind: "failed";
      readonly status?: number | undefined;
      readonly reason: FailureReason;
      /** The error's code in OpenSSL or Node, if TLS failed or the response was malformed. It holds no text of the server. */
      readonly code?: string | undefined;
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

const timeOuts = new Set(["ETIMEDOUT", "ETIMEOUT"]);
/** The error codes of OpenSSL, Node and certificate verification share no prefix, only these words. */
const tlsCode = /CERT|CRL|SSL|TLS|EPROTO|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH/;

/** The outcome of an attempt without a response. Rethrows an error in the platform itself, which must not count as an attempt. */
export function outcomeOfTrouble(error: unknown, ms: number): WebhookOutcome {
  if (isOwnMistake(error)) throw error;
  if (error instanceof RefusedAddress) return { kind: "failed", reason: "refused-address", ms };
  const code = codeOf(error);
  const reason = reasonOf(code);
  const isTold = reason === "tls" || reason === "malformed";
  return { kind: "failed", reason, code: isTold ? code : undefined, ms };
}

function reasonOf(code: string): FailureReason {
  if (timeOuts.has(code)) return "time-out";
  if (code.startsWith("HPE_")) return "malformed"; // as all errors of Node's parser
  return tlsCode.test(code) ? "tls" : "connection";
}

/** OpenSSL's reason, such as `wrong version number`, in the message of an error that ended a write. Its code is only `EPROTO`. */
const openSslReason = /:SSL routines:[^:]*:([a-z0-9 ]+):/;

function codeOf(error: unknown): string {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return "";
  const reason = error.code === "EPROTO" ? openSslReason.exec(error.message)?.[1] : undefined;
  return reason === undefined ? error.code : `ERR_SSL_${reason.toUpperCase().replaceAll(" ", "_")}`; // as Node names the others
}
