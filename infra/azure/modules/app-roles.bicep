// The app's roles on its secrets and its log. A role takes minutes to become effective, and the app reads its secrets at its start. So the
// foundation assigns these roles.

import { roles } from 'role-ids.bicep'

@description('The app\'s identity.')
param appPrincipalId string
param settingsVaultName string
param keysVaultName string
param componentName string

resource settingsVault 'Microsoft.KeyVault/vaults@2026-02-01' existing = { name: settingsVaultName }
resource keysVault 'Microsoft.KeyVault/vaults@2026-02-01' existing = { name: keysVaultName }
resource component 'Microsoft.Insights/components@2020-02-02' existing = { name: componentName }

resource appSettingsSecrets 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(settingsVault.id, appPrincipalId, roles.KeyVaultSecretsUser)
  scope: settingsVault
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.KeyVaultSecretsUser)
  }
}

// The Functions host writes the keys that it makes.
resource appKeys 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(keysVault.id, appPrincipalId, roles.KeyVaultSecretsOfficer)
  scope: keysVault
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.KeyVaultSecretsOfficer)
  }
}

resource appTelemetry 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(component.id, appPrincipalId, roles.MonitoringMetricsPublisher)
  scope: component
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.MonitoringMetricsPublisher)
  }
}
