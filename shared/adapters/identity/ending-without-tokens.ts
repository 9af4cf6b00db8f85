import type { TokenCredential } from "@azure/identity";

/** So long no request for a token succeeds before the process ends. */
const WITHOUT_MS = 10 * 60_000;
/** A younger process does not end: a new one would not get a token either. */
const YOUNG_MS = 60 * 60_000;

export interface ProcessLife {
  /** The age of the process, in milliseconds of a monotonic clock. */
  ageMs(): number;
  /** Milliseconds since 1970. */
  now(): number;
  end(): void;
}

/**
 * Ends a process whose identity does not recover, because the SDK keeps the endpoint of tokens until the process ends. All of these must be
 * true:
 *
 * - It is at least an hour old.
 * - No request for a token has succeeded for ten minutes after the first one failed or got no response.
 * - At least one was made in the last ten minutes.
 * - Every token that it ever received has expired.
 *
 * It is checked when a request begins, ends, or is given up by its caller. The credentials of one process share one such watch.
 */
export function endingWithoutTokens(life: ProcessLife): (credential: TokenCredential) => TokenCredential {
  let expiresAt = -Infinity;
  /** The process's age at the first request after the last success. */
  let withoutSince = Infinity;
  let requestedAt = -Infinity;
  let hasEnded = false;
  const check = (): void => {
    const age = life.ageMs();
    const isWithout = age - withoutSince >= WITHOUT_MS && age - requestedAt < WITHOUT_MS && life.now() >= expiresAt;
    if (hasEnded || age < YOUNG_MS || !isWithout) return;
    hasEnded = true;
    life.end();
  };
  return (credential) => ({
    async getToken(scopes, options) {
      check();
      requestedAt = life.ageMs();
      withoutSince = Math.min(withoutSince, requestedAt);
      try {
        const token = await credential.getToken(scopes, options);
        if (!token) return token;
        expiresAt = Math.max(expiresAt, token.expiresOnTimestamp);
        withoutSince = Infinity;
        return token;
      } finally {
        check();
      }
    },
  });
}
