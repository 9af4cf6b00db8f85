// The resources that must exist before the secrets: identity, vaults, logs, network. Then infra/azure/hooks make the secrets. Then
// main.bicep is deployed.

import { namesOf } from 'modules/names.bicep'
import { roles } from 'modules/role-ids.bicep'

@minLength(2)
@maxLength(8)
param environmentName string
param location string = resourceGroup().location
@description('Whether tables, vaults and the app are reached through a private network alone.')
param privateNetwork bool
@description('Public addresses or ranges from which operators and pipelines reach vaults and tables. Without a private network all do.')
param operatorAddresses string[] = []
@description('Gigabytes of logs a day.')
@minValue(1)
param dailyQuotaGb int
@description('Days for which the log is kept.')
param logRetentionDays int
@description('Whether nobody can delete a vault for good before its 90 days are over. It cannot be switched off again.')
param purgeProtection bool

var names = namesOf(environmentName, take(uniqueString(resourceGroup().id), 6))
var tags = { 'azd-env-name': environmentName }

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: names.identity
  location: location
  tags: tags
}

module monitoring 'modules/monitoring.bicep' = {
  params: {
    workspaceName: names.workspace
    componentName: names.component
    dailyQuotaGb: dailyQuotaGb
    retentionDays: logRetentionDays
    location: location
    tags: tags
  }
}

module network 'modules/network.bicep' = if (privateNetwork) {
  params: {
    name: names.network
    location: location
    tags: tags
  }
}

@description('One vault for the app\'s settings, and one for the keys of functions, which the Functions host alone writes.')
module vaults 'modules/vault.bicep' = [
  for name in [names.settingsVault, names.keysVault]: {
    params: {
      name: name
      workspaceName: names.workspace
      networkName: privateNetwork ? names.network : null
      operatorAddresses: operatorAddresses
      purgeProtection: purgeProtection
      location: location
      tags: tags
    }
    dependsOn: [monitoring, network]
  }
]

module appRoles 'modules/app-roles.bicep' = {
  params: {
    appPrincipalId: identity.properties.principalId
    settingsVaultName: names.settingsVault
    keysVaultName: names.keysVault
    componentName: names.component
  }
  dependsOn: [vaults, monitoring]
}

resource keysVault 'Microsoft.KeyVault/vaults@2026-02-01' existing = { name: names.keysVault }

// The deployer gives a new function the existing key of its group, and calls the deployed platform with that key.
resource deployerKeys 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(keysVault.id, deployer().objectId, roles.KeyVaultSecretsUser)
  scope: keysVault
  properties: {
    principalId: deployer().objectId
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.KeyVaultSecretsUser)
  }
  dependsOn: [vaults]
}

output settingsVault string = names.settingsVault
output keysVault string = names.keysVault
