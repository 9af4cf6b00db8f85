import { ManagedIdentityCredential, type TokenCredential } from "@azure/identity";

// The SDK, in its own bundle: only an app with an identity loads it.

/**
 * The managed identity with this client ID, or the system-assigned one. No other credential is tried. An app that found a developer's
 * identity by chance would work only until that identity is gone.
 */
export const credentialOf = (clientId: string | undefined): TokenCredential =>
  new ManagedIdentityCredential(clientId === undefined ? {} : { clientId });
