// The storage account of the nightly exports. It is separate from the tables, and in another region. No key opens it. Once the policy is
// locked, no role can change or delete an export for some time. docs/backup.md says what writes and reads the exports.

import { exportsContainer } from 'names.bicep'
import { networkIds } from 'network.bicep'
import { properties } from 'storage.bicep'

param name string
@description('The identity that exports.')
param exporterName string
@description('The repository whose nightly job may act as that identity, as GitHub\'s tokens name it. Empty: none may.')
param repository string
param environmentName string
@description('Where the exports are: best the region that is the pair of that of the tables.')
param exportsLocation string
@description('Days in which an export can be neither changed nor deleted, days after which it is removed, and whether the first number can only grow from now on.')
param kept { immutableDays: int, removedAfterDays: int, isLocked: bool }
@description('Whether a lock keeps the account from being deleted.')
param lockData bool
@description('The identifier of the workspace that gets a line for each access.')
param workspaceId string
@description('Null: reached in public, by identities with roles. Otherwise only through this network, and from the addresses of the operators.')
param network networkIds?
param operatorAddresses string[]
param location string
param tags object

var isPrivate = network != null

resource exporter 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: exporterName
  location: location
  tags: tags
}

// This environment of the repository is not the one that deploys. It waits for no reviewer, and may only export.
resource github 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials@2024-11-30' = if (!empty(repository)) {
  parent: exporter
  name: 'github'
  properties: {
    issuer: 'https://token.actions.githubusercontent.com'
    subject: 'repo:${repository}:environment:${environmentName}-export'
    audiences: ['api://AzureADTokenExchange']
  }
}

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' = {
  name: name
  location: exportsLocation
  tags: tags
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' } // this is a copy already, and the next night makes a new one
  properties: {
    ...properties
    accessTier: 'Cool' // written once, and read after an accident
    publicNetworkAccess: isPrivate && empty(operatorAddresses) ? 'Disabled' : 'Enabled'
    networkAcls: {
      bypass: 'None'
      defaultAction: isPrivate ? 'Deny' : 'Allow'
      ipRules: map(operatorAddresses, address => { value: address })
    }
    // The policy is set on the account, not on the container, because a template can lock only the account's. It can only be enabled on a
    // new account.
    immutableStorageWithVersioning: {
      enabled: true
      immutabilityPolicy: {
        immutabilityPeriodSinceCreationInDays: kept.immutableDays
        state: kept.isLocked ? 'Locked' : 'Unlocked'
        allowProtectedAppendWrites: false
      }
    }
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' = {
  parent: account
  name: 'default'
  properties: {
    isVersioningEnabled: true
    containerDeleteRetentionPolicy: { enabled: true, days: 7 }
  }
}

resource exports 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' = {
  parent: blobs
  name: exportsContainer
}

// A removed blob first becomes a version, which the second action removes. Neither action removes a blob that is still immutable.
resource removal 'Microsoft.Storage/storageAccounts/managementPolicies@2025-01-01' = {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: [
        {
          name: 'old-exports'
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: { blobTypes: ['blockBlob'] }
            actions: {
              baseBlob: { delete: { daysAfterCreationGreaterThan: kept.removedAfterDays } }
              version: { delete: { daysAfterCreationGreaterThan: kept.removedAfterDays } }
            }
          }
        }
      ]
    }
  }
  dependsOn: [blobs]
}

// An alert counts the exports by these lines. They also show who read an export.
#disable-next-line use-recent-api-versions // its newest version, a preview since 2021
resource accesses 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'accesses'
  scope: blobs
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'StorageRead', enabled: true }
      { category: 'StorageWrite', enabled: true }
      { category: 'StorageDelete', enabled: true }
    ]
  }
}

resource lock 'Microsoft.Authorization/locks@2020-05-01' = if (lockData) {
  name: 'holds-exports'
  scope: account
  properties: { level: 'CanNotDelete', notes: 'The nightly exports: the only way back where rows are lost.' }
}

module endpoint 'private-endpoint.bicep' = if (isPrivate) {
  params: {
    target: { name: account.name, id: account.id }
    group: 'blob'
    network: network!
    location: location
    tags: tags
  }
}

output exporterPrincipalId string = exporter.properties.principalId
output exporterClientId string = exporter.properties.clientId
