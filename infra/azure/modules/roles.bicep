// The roles of the app and the exporter in storage and Service Bus. README.md has a table of all roles, and a test compares them.

import { exportsContainer } from 'names.bicep'
import { roles } from 'role-ids.bicep'
import { hostContainers } from 'storage.bicep'

@description('The app\'s identity.')
param appPrincipalId string
@description('The identity that exports each night.')
param exporterPrincipalId string
param hostStorageName string
param dataStorageName string
param exportsStorageName string
param busName string

var platform = loadJsonContent('../generated/platform.json')

resource hostStorage 'Microsoft.Storage/storageAccounts@2025-01-01' existing = { name: hostStorageName }
resource hostBlobs 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' existing = { parent: hostStorage, name: 'default' }
resource hostContainer 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' existing = [
  for one in items(hostContainers): { parent: hostBlobs, name: one.value }
]
resource dataStorage 'Microsoft.Storage/storageAccounts@2025-01-01' existing = { name: dataStorageName }
resource exportsStorage 'Microsoft.Storage/storageAccounts@2025-01-01' existing = { name: exportsStorageName }
resource exportsBlobs 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' existing = { parent: exportsStorage, name: 'default' }
resource exports 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' existing = { parent: exportsBlobs, name: exportsContainer }
resource bus 'Microsoft.ServiceBus/namespaces@2026-01-01' existing = { name: busName }

resource queue 'Microsoft.ServiceBus/namespaces/queues@2026-01-01' existing = [
  for one in platform.queues: { parent: bus, name: one.name }
]

// A deployment writes the package by the app's identity, so the app can overwrite it.
resource appHostBlobs 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for (one, at) in items(hostContainers): {
    name: guid(hostContainer[at].id, appPrincipalId, roles.StorageBlobDataOwner)
    scope: hostContainer[at]
    properties: {
      principalId: appPrincipalId
      principalType: 'ServicePrincipal'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.StorageBlobDataOwner)
    }
  }
]

resource appHostTables 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(hostStorage.id, appPrincipalId, roles.StorageTableDataContributor)
  scope: hostStorage
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.StorageTableDataContributor)
  }
}

resource appTables 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(dataStorage.id, appPrincipalId, roles.StorageTableDataContributor)
  scope: dataStorage
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.StorageTableDataContributor)
  }
}

// The app is owner, not only sender and receiver. Otherwise the scale controller only peeks at a few messages, and a queue full of
// scheduled messages starts no instance.
resource appQueues 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for (one, at) in platform.queues: {
    name: guid(queue[at].id, appPrincipalId, roles.AzureServiceBusDataOwner)
    scope: queue[at]
    properties: {
      principalId: appPrincipalId
      principalType: 'ServicePrincipal'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.AzureServiceBusDataOwner)
    }
  }
]

// The exporter can read the tables but not write them. Once the policy is locked, it cannot change or delete an export that it has written.
resource exporterTables 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(dataStorage.id, exporterPrincipalId, roles.StorageTableDataReader)
  scope: dataStorage
  properties: {
    principalId: exporterPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.StorageTableDataReader)
  }
}

resource exporterExports 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(exports.id, exporterPrincipalId, roles.StorageBlobDataContributor)
  scope: exports
  properties: {
    principalId: exporterPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.StorageBlobDataContributor)
  }
}
