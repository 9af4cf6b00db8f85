import type { TokenCredential } from "@azure/identity";

/**
 * The operator's own identity: that of `az login`, for instance, or of the machine on which the command runs; of its managed identities that
 * of the client ID. The package is loaded with the first token, because it is large.
 */
export function operatorsIdentity(clientId?: string): TokenCredential {
  let loaded: Promise<TokenCredential> | undefined;
  const load = async () => {
    const { DefaultAzureCredential } = await import("@azure/identity");
    return new DefaultAzureCredential(clientId === undefined ? {} : { managedIdentityClientId: clientId });
  };
  return { getToken: async (scopes, options) => (await (loaded ??= load())).getToken(scopes, options) };
}
