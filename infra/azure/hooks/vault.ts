import * as z from "zod";
import { codeOf, errorOf, MANAGEMENT, type Azure } from "./azure.ts";

/** A key vault. Names of secrets are case-insensitive. */
export interface Vault {
  readonly name: string;
  /** The names of all secrets in lower case, including disabled ones. Rejects if the vault cannot be read. */
  names(): Promise<ReadonlySet<string>>;
  /** The value of a secret. Rejects if it cannot be read. */
  read(secret: string): Promise<string>;
  /** Stores a new secret. Rejects if it exists already, or if the vault does not accept it. */
  add(secret: string, value: string): Promise<void>;
}

/** A read that the vault refuses because the deployer has no role in it, or none that is effective yet. */
export class NoRole extends Error {}

/** The resource group of the vaults. */
export interface Place {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
}

const listed = z.object({ value: z.array(z.object({ name: z.string() })), nextLink: z.string().nullish() });
const stored = z.object({ value: z.string() });

/**
 * A vault in Azure. It lists names and stores secrets through Azure Resource Manager. That needs no role in the vault and passes its
 * firewall, but never shows a value. It reads a value from the vault itself, which needs a role and access through the firewall.
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
        throw new (codeOf(response) === "ForbiddenByRbac" ? NoRole : Error)(
          `The secret ${secret} of the vault ${name} cannot be read (${errorOf(response)}): it takes the role Key Vault Secrets User, and an address that the vault lets in.`,
        );
      return found.data.value;
    },
    async add(secret, value) {
      const url = `${secrets}/${secret}?${VERSION}`;
      // Another deployment may have made it since the names were listed. Storing it would hide that value behind a new version.
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
