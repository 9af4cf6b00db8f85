import * as z from "zod";
import { errorOf, MANAGEMENT, type Azure } from "./azure.ts";

/** A key vault, as the secrets are made in it. Names of secrets are the same in any case. */
export interface Vault {
  readonly name: string;
  /** The names of all its secrets in lower case, those that are disabled included. Rejects where it cannot be read. */
  names(): Promise<ReadonlySet<string>>;
  /** The value of a secret. Rejects where it cannot be read. */
  read(secret: string): Promise<string>;
  /** Stores a secret that is not there. Rejects where it is there all the same, and where the vault does not take it. */
  add(secret: string, value: string): Promise<void>;
}

/** Where the vaults are. */
export interface Place {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
}

const listed = z.object({ value: z.array(z.object({ name: z.string() })), nextLink: z.string().nullish() });
const stored = z.object({ value: z.string() });

/**
 * A vault of Azure's. Names are listed and secrets stored through Azure Resource Manager, which needs no role in the vault and passes its
 * firewall; it never shows a value. A value is read from the vault itself, which needs both.
 */
export function azureVault(
  { send }: Pick<Azure, "send">,
  { subscriptionId, resourceGroup }: Place,
  name: string,
): Vault {
  const secrets = `${MANAGEMENT}/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.KeyVault/vaults/${name}/secrets`;
  const VERSION = "api-version=2026-02-01";
  return {
    name,
    async names() {
      const names = new Set<string>();
      for (let url: string | null | undefined = `${secrets}?${VERSION}`; url;) {
        const response = await send({ method: "GET", url });
        const page = listed.safeParse(response.body);
        if (response.status !== 200 || !page.success)
          throw new Error(`The secrets of the vault ${name} cannot be listed (${errorOf(response)}).`);
        for (const secret of page.data.value) names.add(secret.name.toLowerCase());
        url = page.data.nextLink;
      }
      return names;
    },
    async read(secret) {
      const response = await send({
        method: "GET",
        url: `https://${name}.vault.azure.net/secrets/${secret}?api-version=7.5`,
      });
      const found = stored.safeParse(response.body);
      if (response.status !== 200 || !found.success)
        throw new Error(
          `The secret ${secret} of the vault ${name} cannot be read (${errorOf(response)}): it takes the role Key Vault Secrets User, and an address that the vault lets in.`,
        );
      return found.data.value;
    },
    async add(secret, value) {
      const url = `${secrets}/${secret}?${VERSION}`;
      // Another deployment may have made it since the names were listed. Storing would hide its value behind a new version.
      if ((await send({ method: "GET", url })).status === 200)
        throw new Error(
          `The secret ${secret} of the vault ${name} is there already, and was left as it is. Try again.`,
        );
      const response = await send({
        method: "PUT",
        url,
        body: { properties: { value, attributes: { enabled: true } } },
      });
      if (response.status === 409)
        throw new Error(
          `The secret ${secret} was deleted, and can be had back: az keyvault secret recover --vault-name ${name} --name ${secret}`,
        );
      if (response.status !== 200 && response.status !== 201)
        throw new Error(`The vault ${name} did not take the secret ${secret} (${errorOf(response)}).`);
    },
  };
}
