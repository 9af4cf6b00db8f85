import type { Partner } from "../../shared/ports/partners.ts";
import type { Surroundings } from "../operator/cloud.ts";

/** A word of a POSIX shell that stands for the text as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The address of a resource at Azure's own API. `{subscriptionId}` is filled in by `az rest` itself. */
const resourceUrl = ({ resourceGroup = "<resource group>" }: Surroundings, path: string, version: string): string =>
  quoted(
    `https://management.azure.com/subscriptions/{subscriptionId}/resourceGroups/${resourceGroup}/providers/${path}?api-version=${version}`,
  );

/** The command that makes a partner's subscription of API Management, for an operator whose identity may do so. */
export function subscriptionCommand({ partnerId, name }: Partner, around: Surroundings): string {
  const { apiManagement = "<API Management>" } = around;
  const path = `Microsoft.ApiManagement/service/${apiManagement}/subscriptions/${partnerId}`;
  const properties = { displayName: name, scope: "/apis/partners", state: "active", allowTracing: false }; // a trace holds keys
  const body = JSON.stringify({ properties });
  return `az rest --method put --url ${resourceUrl(around, path, "2024-05-01")} --body ${quoted(body)}`;
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
