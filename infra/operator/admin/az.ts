import type { Partner } from "../../../shared/stores/partners.ts";
import type { Surroundings } from "../common/cloud.ts";

/** A word of a POSIX shell that stands for the text as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The address of a resource at Azure's own API. `{subscriptionId}` is filled in by `az rest` itself. */
const resourceUrl = ({ resourceGroup = "<resource group>" }: Surroundings, path: string, version: string): string =>
  quoted(
    `https://management.azure.com/subscriptions/{subscriptionId}/resourceGroups/${resourceGroup}/providers/${path}?api-version=${version}`,
  );

/**
 * The commands for a partner's subscription of API Management, for an operator whose identity may do so. The first makes it, or approves the
 * one that the partner asked for in the developer portal; its identifier or its name is then the partner's. The second shows its key.
 */
export function subscriptionCommands({ partnerId, name }: Partner, around: Surroundings, asked?: string) {
  const { apiManagement = "<API Management>" } = around;
  const path = `Microsoft.ApiManagement/service/${apiManagement}/subscriptions/${asked ?? partnerId}`;
  const url = (action = "") => `--url ${resourceUrl(around, `${path}${action}`, "2024-05-01")}`;
  const active = { state: "active", allowTracing: false }; // a trace holds keys
  const body = (properties: object) => `--body ${quoted(JSON.stringify({ properties }))} --output none`;
  return {
    subscription:
      asked === undefined
        ? `az rest --method put ${url()} ${body({ displayName: name, scope: "/products/partners", ...active })}`
        : `az rest --method patch ${url()} --headers 'If-Match=*' ${body({ displayName: partnerId, ...active })}`,
    subscriptionKey: `az rest --method post ${url("/listSecrets")} --query primaryKey --output tsv`,
  };
}

/**
 * The commands that set a secret of the app and have every host read it. The secret is typed or piped into the first one, so that no shell
 * remembers it. The second is needed because App Service keeps what it read from the Key Vault for up to a day.
 */
export function secretCommands(secret: string, around: Surroundings): string {
  const { keyVault = "<key vault>", functionApp = "<function app>", resourceGroup = "<resource group>" } = around;
  const references = `Microsoft.Web/sites/${functionApp}/config/configreferences/appsettings/refresh`;
  return [
    `az keyvault secret set --vault-name ${keyVault} --name ${secret} --file /dev/stdin --output none`,
    `az rest --method post --url ${resourceUrl(around, references, "2022-03-01")} --output none`,
    `az functionapp restart --name ${functionApp} --resource-group ${resourceGroup}`,
  ].join("; ");
}
