// A key vault that only roles open.

import { networkIds } from 'network.bicep'

param name string
@description('The identifier of the workspace that gets a line for each access.')
param workspaceId string
@description('Null: the vault is reached in public. Otherwise only through this network, and from the addresses of the operators.')
param network networkIds?
@description('Public addresses or ranges from which operators and pipelines reach it.')
param operatorAddresses string[]
@description('Whether API Management reads it. It is one of Azure\'s trusted services, and passes the firewall as such.')
param isReadByGateway bool
@description('Whether nobody can delete a vault for good before its 90 days are over. It cannot be switched off again.')
param purgeProtection bool
param location string
param tags object

var isPrivate = network != null

resource vault 'Microsoft.KeyVault/vaults@2026-02-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    tenantId: tenant().tenantId
    sku: { family: 'A', name: 'standard' }
    enableRbacAuthorization: true
    enableSoftDelete: true
    softDeleteRetentionInDays: 90
    enablePurgeProtection: purgeProtection ? true : null // Azure refuses `false`
    publicNetworkAccess: isPrivate && empty(operatorAddresses) ? 'Disabled' : 'Enabled'
    networkAcls: {
      bypass: isReadByGateway ? 'AzureServices' : 'None'
      defaultAction: isPrivate ? 'Deny' : 'Allow'
      ipRules: map(operatorAddresses, address => { value: address })
    }
  }
}

#disable-next-line use-recent-api-versions // its newest version, a preview since 2021
resource accesses 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'accesses'
  scope: vault
  properties: {
    workspaceId: workspaceId
    logs: [{ categoryGroup: 'audit', enabled: true }]
  }
}

module endpoint 'private-endpoint.bicep' = if (isPrivate) {
  params: {
    target: { name: vault.name, id: vault.id }
    group: 'vault'
    network: network!
    location: location
    tags: tags
  }
}
