import type { Partner } from "../../../shared/stores/partners.ts";
import type { Cloud, Surroundings } from "../common/cloud.ts";

/** Quotes the text as one word for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The address of a resource in Azure's management API. `az rest` itself fills in `{subscriptionId}`. */
const resourceUrl = ({ resourceGroup = "<resource group>" }: Surroundings, path: string, version: string): string =>
  quoted(
    `https://management.azure.com/subscriptions/{subscriptionId}/resourceGroups/${resourceGroup}/providers/${path}?api-version=${version}`,
  );

/**
 * The commands for a partner's API Management subscription. The operator's identity needs the right to run them. The first command creates
 * the subscription under the partner's identifier. If `asked` is given, it approves that subscription, which the partner requested in the
 * developer portal, and names it by the partner's identifier. The second command shows its key.
 */
export function subscriptionCommands(
  { partnerId, name }: Pick<Partner, "partnerId" | "name">,
  around: Surroundings,
  asked?: string,
) {
  const { apiManagement = "<API Management>" } = around;
  const path = `Microsoft.ApiManagement/service/${apiManagement}/subscriptions/${asked ?? partnerId}`;
  const url = (action = "") => `--url ${resourceUrl(around, `${path}${action}`, "2024-05-01")}`;
  const active = { state: "active", allowTracing: false }; // a trace contains keys
  const body = (properties: object) => `--body ${quoted(JSON.stringify({ properties }))} --output none`;
  return {
    subscription:
      asked === undefined
        ? `az rest --method put ${url()} ${body({ displayName: name, scope: "/products/partners", ...active })}`
        : `az rest --method patch ${url()} --headers 'If-Match=*' ${body({ displayName: partnerId, ...active })}`,
    subscriptionKey: `az rest --method post ${url("/listSecrets")} --query primaryKey --output tsv`,
  };
}

/** How the partner gets its subscription: by these commands, or on this machine without any. */
export const subscriptionOf = (
  partner: Pick<Partner, "partnerId" | "name">,
  { isLocal, around }: Pick<Cloud, "isLocal" | "around">,
  asked?: string,
) =>
  isLocal
    ? { subscription: "The gateway of the stack that runs here accepts demo.subscriptionKey of its stack.json." }
    : subscriptionCommands(partner, around, asked);

/**
 * The commands that set a secret of the app and make every host read it. The operator types or pipes the secret into the first command, so
 * that no shell stores it. The second command is needed because App Service caches values from the Key Vault for up to a day.
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
