import type { AccessToken, GetTokenOptions, TokenCredential } from "@azure/identity";

/** A request for a token that takes longer is shared with no further call: its connection may be dead, and it has no time-out. */
const SHARED_MS = 10_000;

interface Requested {
  readonly token: Promise<AccessToken | null>;
  readonly at: number;
}

/**
 * The app's own identity in Azure: the user-assigned one of this client ID, else the system-assigned one. The SDK is loaded at once, and
 * keeps tokens until they are due.
 *
 * - Calls for the same token that come together are one request: each table and each link to a queue asks for itself.
 * - A call whose signal aborts rejects then, though the SDK heeds no signal: a caller's deadline includes the wait for a token.
 */
export function managedIdentity(clientId: string | undefined, sharedMs = SHARED_MS): TokenCredential {
  const loaded = import("./sdk.ts").then(({ credentialOf }) => credentialOf(clientId));
  loaded.catch(() => {}); // each call rejects with it
  const underWay = new Map<string, Requested>();
  const request = (scopes: string | string[]): Promise<AccessToken | null> => {
    const key = String(scopes);
    const shared = underWay.get(key);
    if (shared && performance.now() - shared.at < sharedMs) return shared.token;
    const token = loaded.then((credential) => credential.getToken(scopes));
    underWay.set(key, { token, at: performance.now() });
    return token.finally(() => void (underWay.get(key)?.token === token && underWay.delete(key)));
  };
  return { getToken: (scopes, options = {}) => unlessAborted(options.abortSignal, request(scopes)) };
}

async function unlessAborted<T>(signal: GetTokenOptions["abortSignal"], work: Promise<T>): Promise<T> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(new DOMException("The wait for a token was aborted.", "AbortError"));
  signal.addEventListener("abort", abort);
  try {
    if (signal.aborted) abort();
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
