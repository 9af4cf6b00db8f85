// The resources that must exist before the secrets: identity, vaults, logs, network. Then infra/azure/hooks make the secrets. Then
// main.bicep is deployed.

import { namesOf, resourceNames } from 'modules/names.bicep'
import { networkIds, networkOf } from 'modules/network.bicep'

@minLength(2)
@maxLength(8)
param environmentName string
param location string = resourceGroup().location
@description('Whether tables, vaults and the app are reached through a private network alone.')
param privateNetwork bool
@description('Whether the network that is made has a NAT gateway.')
param natGateway bool
@description('The network of a landing zone. Null: foundation.bicep makes one, if there is one at all.')
param existingNetwork networkIds?
@description('The workspace of a landing zone, by its identifier. Null: foundation.bicep makes one.')
param existingWorkspaceId string?
@description('All names, by a convention of your own. Null: the names of modules/names.bicep.')
param ownNames resourceNames?
param ownTags object = {}
@description('Public addresses or ranges from which operators and pipelines reach vaults and tables. Without a private network all do.')
param operatorAddresses string[] = []
@description('Gigabytes of logs a day.')
@minValue(1)
param dailyQuotaGb int
@description('Days for which the log is kept.')
param logRetentionDays int
@description('Whether nobody can delete a vault for good before its 90 days are over. It cannot be switched off again.')
param purgeProtection bool

var names = ownNames ?? namesOf(environmentName, take(uniqueString(resourceGroup().id), 6))
var tags = union(ownTags, { 'azd-env-name': environmentName })
var network = privateNetwork ? existingNetwork ?? networkOf(resourceGroup().id, names.network) : null

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: names.identity
  location: location
  tags: tags
}

module monitoring 'modules/monitoring.bicep' = {
  params: {
    workspaceName: names.workspace
    existingWorkspaceId: existingWorkspaceId
    componentName: names.component
    dailyQuotaGb: dailyQuotaGb
    retentionDays: logRetentionDays
    location: location
    tags: tags
  }
}

module ownNetwork 'modules/network.bicep' = if (privateNetwork && existingNetwork == null) {
  params: {
    name: names.network
    natGateway: natGateway
    location: location
    tags: tags
  }
}

@description('One vault for the app\'s settings, and one for the keys of functions, which the Functions host alone writes.')
module vaults 'modules/vault.bicep' = [
  for name in [names.settingsVault, names.keysVault]: {
    params: {
      name: name
      workspaceId: monitoring.outputs.workspaceId
      isReadByGateway: name == names.keysVault
      network: network
      operatorAddresses: operatorAddresses
      purgeProtection: purgeProtection
      location: location
      tags: tags
    }
    dependsOn: [ownNetwork]
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

output settingsVault string = names.settingsVault
output keysVault string = names.keysVault
