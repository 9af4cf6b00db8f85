import { ManagedIdentityCredential, type TokenCredential } from "@azure/identity";

// The SDK, in a bundle of its own: only an app that has an identity loads it.

/**
 * The managed identity of this client ID, or the system-assigned one. No other way is tried: an app that found a developer's or another
 * identity by chance would work until it did not.
 */
export const credentialOf = (clientId: string | undefined): TokenCredential =>
  new ManagedIdentityCredential(clientId === undefined ? {} : { clientId });
