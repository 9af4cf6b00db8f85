import type { AccessToken, GetTokenOptions, TokenCredential } from "@azure/identity";

/**
 * Calls share a pending token request only while it is younger than this. An older request may be on a dead connection, and it has no
 * time-out.
 */
const SHARED_MS = 10_000;

interface Requested {
  readonly token: Promise<AccessToken | null>;
  readonly at: number;
}

/**
 * The app's own identity in Azure: the user-assigned identity with this client ID, or the system-assigned one. The SDK is loaded at once,
 * and caches tokens until they must be renewed.
 *
 * - Concurrent calls for the same token share one request, because each table and each link to a queue asks for its own token.
 * - If a call's signal aborts, the call rejects at once, although the SDK ignores signals. A caller's deadline therefore includes the wait
 *   for a token.
 */
export function managedIdentity(clientId: string | undefined, sharedMs = SHARED_MS): TokenCredential {
  const loaded = import("./sdk.ts").then(({ credentialOf }) => credentialOf(clientId));
  loaded.catch(() => {}); // each call rejects with this error
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
