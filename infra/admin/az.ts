import type { Partner } from "../../shared/ports/partners.ts";
import type { Surroundings } from "./cloud.ts";

/** A word of a POSIX shell that stands for the text as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The command that makes a partner's subscription of API Management, for an operator whose identity may do so. `{subscriptionId}` is filled
 * in by `az` itself.
 */
export function subscriptionCommand(
  { partnerId, name }: Partner,
  { resourceGroup = "<resource group>", apiManagement = "<API Management>" }: Surroundings,
): string {
  const service = `resourceGroups/${resourceGroup}/providers/Microsoft.ApiManagement/service/${apiManagement}`;
  const url = `https://management.azure.com/subscriptions/{subscriptionId}/${service}/subscriptions/${partnerId}?api-version=2022-08-01`;
  const body = JSON.stringify({ properties: { displayName: name, scope: "/apis/partners", state: "active" } });
  return `az rest --method put --url ${quoted(url)} --body ${quoted(body)}`;
}
