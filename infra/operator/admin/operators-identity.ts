import type { TokenCredential } from "@azure/identity";

/**
 * The operator's own identity, for instance that of `az login` or of this machine. The client ID selects one of its managed identities. The
 * package is loaded for the first token only, because it is large.
 */
export function operatorsIdentity(clientId?: string): TokenCredential {
  let loaded: Promise<TokenCredential> | undefined;
  const load = async () => {
    const { DefaultAzureCredential } = await import("@azure/identity");
    return new DefaultAzureCredential(clientId === undefined ? {} : { managedIdentityClientId: clientId });
  };
  return { getToken: async (scopes, options) => (await (loaded ??= load())).getToken(scopes, options) };
}
