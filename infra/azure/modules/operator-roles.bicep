// The roles of people: readers, operators and administrators. Each role is assigned on the resource that it is for. README.md has a table
// of all roles, and a test compares them.

import { exportsContainer } from 'names.bicep'
import { roles } from 'role-ids.bicep'

@description('The group of people who look things up. Empty: there is none.')
param readersPrincipalId string
@description('The group of people who decide payments and see to alerts. Empty: there is none.')
param operatorsPrincipalId string
@description('The group of people who make partners and rotate secrets. Empty: there is none.')
param administratorsPrincipalId string
param dataStorageName string
param exportsStorageName string
param busName string
param gatewayName string
@description('Null: the workspace is a landing zone\'s, and its owner gives these rights.')
param workspaceName string?
param settingsVaultName string
param keysVaultName string

resource dataStorage 'Microsoft.Storage/storageAccounts@2025-01-01' existing = { name: dataStorageName }
resource exportsStorage 'Microsoft.Storage/storageAccounts@2025-01-01' existing = { name: exportsStorageName }
resource exportsBlobs 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' existing = { parent: exportsStorage, name: 'default' }
resource exports 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' existing = { parent: exportsBlobs, name: exportsContainer }
resource bus 'Microsoft.ServiceBus/namespaces@2026-01-01' existing = { name: busName }
resource gateway 'Microsoft.ApiManagement/service@2024-05-01' existing = { name: gatewayName }
resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' existing = if (workspaceName != null) { name: workspaceName ?? 'none' }
resource settingsVault 'Microsoft.KeyVault/vaults@2026-02-01' existing = { name: settingsVaultName }
resource keysVault 'Microsoft.KeyVault/vaults@2026-02-01' existing = { name: keysVaultName }

var ofTables = [
  { group: readersPrincipalId, role: roles.StorageTableDataReader }
  { group: operatorsPrincipalId, role: roles.StorageTableDataContributor }
  { group: administratorsPrincipalId, role: roles.StorageTableDataContributor }
]

resource tables 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for one in ofTables: if (!empty(one.group)) {
    name: guid(dataStorage.id, one.group, one.role)
    scope: dataStorage
    properties: {
      principalId: one.group
      principalType: 'Group'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', one.role)
    }
  }
]

// To peek at messages needs the right to receive them, which includes removing them. So readers have no role here.
var ofBus = [
  { group: operatorsPrincipalId, role: roles.AzureServiceBusDataReceiver }
  { group: operatorsPrincipalId, role: roles.AzureServiceBusDataSender }
  { group: administratorsPrincipalId, role: roles.AzureServiceBusDataOwner }
]

resource queues 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for one in ofBus: if (!empty(one.group)) {
    name: guid(bus.id, one.group, one.role)
    scope: bus
    properties: {
      principalId: one.group
      principalType: 'Group'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', one.role)
    }
  }
]

resource logs 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for group in [readersPrincipalId, operatorsPrincipalId, administratorsPrincipalId]: if (!empty(group) && workspaceName != null) {
    name: guid(workspace.id, group, roles.LogAnalyticsReader)
    scope: workspace
    properties: {
      principalId: group
      principalType: 'Group'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.LogAnalyticsReader)
    }
  }
]

resource settingsSecrets 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(administratorsPrincipalId)) {
  name: guid(settingsVault.id, administratorsPrincipalId, roles.KeyVaultSecretsOfficer)
  scope: settingsVault
  properties: {
    principalId: administratorsPrincipalId
    principalType: 'Group'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.KeyVaultSecretsOfficer)
  }
}

resource functionKeys 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(administratorsPrincipalId)) {
  name: guid(keysVault.id, administratorsPrincipalId, roles.KeyVaultSecretsOfficer)
  scope: keysVault
  properties: {
    principalId: administratorsPrincipalId
    principalType: 'Group'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.KeyVaultSecretsOfficer)
  }
}

resource subscriptions 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(administratorsPrincipalId)) {
  name: guid(gateway.id, administratorsPrincipalId, roles.ApiManagementServiceContributor)
  scope: gateway
  properties: {
    principalId: administratorsPrincipalId
    principalType: 'Group'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.ApiManagementServiceContributor)
  }
}

resource restores 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(administratorsPrincipalId)) {
  name: guid(exports.id, administratorsPrincipalId, roles.StorageBlobDataReader)
  scope: exports
  properties: {
    principalId: administratorsPrincipalId
    principalType: 'Group'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.StorageBlobDataReader)
  }
}
