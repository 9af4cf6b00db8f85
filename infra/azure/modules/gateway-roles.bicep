// The roles of API Management, assigned after it has an identity.

import { roles } from 'role-ids.bicep'

@description('The identity of API Management.')
param gatewayPrincipalId string
param keysVaultName string
param componentName string

var platform = loadJsonContent('../generated/platform.json')

resource keysVault 'Microsoft.KeyVault/vaults@2026-02-01' existing = { name: keysVaultName }
resource component 'Microsoft.Insights/components@2020-02-02' existing = { name: componentName }

resource gatewayKey 'Microsoft.KeyVault/vaults/secrets@2026-02-01' existing = [
  for one in platform.secretNamedValues: { parent: keysVault, name: one.secret }
]

// Opens only the keys that it sends to functions, and no other secret.
resource gatewayKeys 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for (one, at) in platform.secretNamedValues: {
    name: guid(gatewayKey[at].id, gatewayPrincipalId, roles.KeyVaultSecretsUser)
    scope: gatewayKey[at]
    properties: {
      principalId: gatewayPrincipalId
      principalType: 'ServicePrincipal'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.KeyVaultSecretsUser)
    }
  }
]

resource gatewayTelemetry 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(component.id, gatewayPrincipalId, roles.MonitoringMetricsPublisher)
  scope: component
  properties: {
    principalId: gatewayPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.MonitoringMetricsPublisher)
  }
}
