// A key vault that only roles open.

param name string
@description('The workspace that gets a line for each access.')
param workspaceName string
@description('Null: the vault is reached in public. Otherwise only through this network, and from the addresses of the operators.')
param networkName string?
@description('Public addresses or ranges from which operators and pipelines reach it.')
param operatorAddresses string[]
@description('Whether nobody can delete a vault for good before its 90 days are over. It cannot be switched off again.')
param purgeProtection bool
param location string
param tags object

var isPrivate = networkName != null

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
      bypass: 'AzureServices' // API Management is a trusted service: it reads the keys that it sends, by its own identity
      defaultAction: isPrivate ? 'Deny' : 'Allow'
      ipRules: map(operatorAddresses, address => { value: address })
    }
  }
}

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' existing = {
  name: workspaceName
}

resource accesses 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'accesses'
  scope: vault
  properties: {
    workspaceId: workspace.id
    logs: [{ categoryGroup: 'audit', enabled: true }]
  }
}

module endpoint 'private-endpoint.bicep' = if (isPrivate) {
  params: {
    target: { name: vault.name, id: vault.id }
    group: 'vault'
    networkName: networkName!
    location: location
    tags: tags
  }
}
