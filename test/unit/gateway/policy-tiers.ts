// The tiers of API Management that support each policy, by Microsoft's policy reference. Its gateways are "classic" (Developer and others),
// "V2" (Basic v2, Standard v2, Premium v2) and "Consumption". Elements inside a policy are supported with it.

export type Tier = "BasicV2" | "StandardV2" | "Developer" | "Consumption";

const everywhere: readonly Tier[] = ["BasicV2", "StandardV2", "Developer", "Consumption"];
const notConsumption: readonly Tier[] = ["BasicV2", "StandardV2", "Developer"];
const nowhere: readonly Tier[] = [];

export const tiersOf: Readonly<Record<string, readonly Tier[]>> = {
  "authentication-managed-identity": everywhere,
  "azure-openai-token-limit": notConsumption,
  "cache-lookup-value": everywhere,
  "cache-remove-value": everywhere,
  "cache-store-value": everywhere,
  "check-header": everywhere,
  choose: everywhere,
  cors: everywhere,
  "cosmosdb-data-source": notConsumption,
  "emit-metric": everywhere,
  "find-and-replace": everywhere,
  "forward-request": everywhere,
  "include-fragment": everywhere,
  "invoke-dapr-binding": nowhere,
  "ip-filter": everywhere,
  "limit-concurrency": everywhere,
  "log-to-eventhub": everywhere,
  "mock-response": everywhere,
  "publish-to-dapr": nowhere,
  quota: everywhere,
  "quota-by-key": notConsumption,
  "rate-limit": everywhere,
  "rate-limit-by-key": notConsumption,
  retry: everywhere,
  "return-response": everywhere,
  "rewrite-uri": everywhere,
  "send-one-way-request": everywhere,
  "send-request": everywhere,
  "set-backend-service": everywhere,
  "set-body": everywhere,
  "set-header": everywhere,
  "set-method": everywhere,
  "set-query-parameter": everywhere,
  "set-status": everywhere,
  "set-variable": everywhere,
  "sql-data-source": notConsumption,
  trace: everywhere,
  "validate-azure-ad-token": everywhere,
  "validate-content": everywhere,
  "validate-headers": everywhere,
  "validate-jwt": everywhere,
  "validate-parameters": everywhere,
  "validate-status-code": everywhere,
};
