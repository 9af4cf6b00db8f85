// Two accounts. One has the tables, which are the truth about money. The other has the data of the Functions host. No key opens them.

import { networkIds } from 'network.bicep'

var platform = loadJsonContent('../generated/platform.json')

param hostName string
param dataName string
@description('How many copies of the tables there are, and where.')
param dataRedundancy 'Standard_LRS' | 'Standard_ZRS' | 'Standard_GZRS'
param hostRedundancy 'Standard_LRS' | 'Standard_ZRS'
@description('Whether a lock keeps the tables from being deleted with their account.')
param lockData bool
@description('Null: reached in public, by identities with roles. Otherwise only through this network, and from the addresses of the operators.')
param network networkIds?
param operatorAddresses string[]
@description('The storage account or workspace that gets a line for each write to the tables, with the identity that wrote. Empty: nothing does.')
param auditDestinationId string
@description('The storage account that gets a line for each read of the tables. Empty: nothing does.')
param accessLogsId string
param location string
param tags object

@description('The deployed code, and the blobs by which the host\'s instances agree on who runs a timer. The host would make the second itself, with a right to the whole account.')
@export()
var hostContainers = { deployments: 'deployments', locks: 'azure-webjobs-hosts' }

var isPrivate = network != null
@export()
var properties = {
  allowSharedKeyAccess: false
  allowBlobPublicAccess: false
  defaultToOAuthAuthentication: true
  minimumTlsVersion: 'TLS1_2'
  supportsHttpsTrafficOnly: true
  allowCrossTenantReplication: false
  allowedCopyScope: 'AAD'
}

resource host 'Microsoft.Storage/storageAccounts@2025-01-01' = {
  name: hostName
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: hostRedundancy }
  properties: {
    ...properties
    publicNetworkAccess: isPrivate ? 'Disabled' : 'Enabled'
    networkAcls: { bypass: 'None', defaultAction: isPrivate ? 'Deny' : 'Allow' }
  }

  resource blobs 'blobServices' = {
    name: 'default'
    properties: {
      deleteRetentionPolicy: { enabled: true, days: 7 }
      containerDeleteRetentionPolicy: { enabled: true, days: 7 }
    }

    resource deployments 'containers' = { name: hostContainers.deployments }
    resource locks 'containers' = { name: hostContainers.locks }
  }
}

resource data 'Microsoft.Storage/storageAccounts@2025-01-01' = {
  name: dataName
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: dataRedundancy }
  properties: {
    ...properties
    publicNetworkAccess: isPrivate && empty(operatorAddresses) ? 'Disabled' : 'Enabled'
    networkAcls: {
      bypass: 'None'
      defaultAction: isPrivate ? 'Deny' : 'Allow'
      ipRules: map(operatorAddresses, address => { value: address })
    }
  }

  resource tables 'tableServices' = { name: 'default' }
}

resource table 'Microsoft.Storage/storageAccounts/tableServices/tables@2025-01-01' = [
  for name in platform.tables: {
    parent: data::tables
    name: name
  }
]

var isWorkspace = contains(toLower(auditDestinationId), '/microsoft.operationalinsights/workspaces/')

// An operator who may write the tables may also change the audit trail in them. The storage account itself writes these lines.
#disable-next-line use-recent-api-versions // its newest version, a preview since 2021
resource writes 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = if (!empty(auditDestinationId)) {
  name: 'writes'
  scope: data::tables
  properties: {
    workspaceId: isWorkspace ? auditDestinationId : null
    storageAccountId: isWorkspace ? null : auditDestinationId
    logs: [
      { category: 'StorageWrite', enabled: true }
      { category: 'StorageDelete', enabled: true }
    ]
  }
}

#disable-next-line use-recent-api-versions // its newest version, a preview since 2021
resource reads 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = if (!empty(accessLogsId)) {
  name: 'reads'
  scope: data::tables
  properties: {
    storageAccountId: accessLogsId
    logs: [{ category: 'StorageRead', enabled: true }]
  }
}

resource lock 'Microsoft.Authorization/locks@2020-05-01' = if (lockData) {
  name: 'holds-payments'
  scope: data
  properties: { level: 'CanNotDelete', notes: 'The tables hold every payment. Azure cannot bring them back.' }
}

var endpoints = [
  { target: { name: hostName, id: host.id }, group: 'blob' }
  { target: { name: hostName, id: host.id }, group: 'table' }
  { target: { name: dataName, id: data.id }, group: 'table' }
]

module endpoint 'private-endpoint.bicep' = [
  for one in endpoints: if (isPrivate) {
    params: {
      target: one.target
      group: one.group
      network: network!
      location: location
      tags: tags
    }
  }
]

output hostBlobEndpoint string = host.properties.primaryEndpoints.blob
output dataTableEndpoint string = data.properties.primaryEndpoints.table
output deploymentsContainer string = host::blobs::deployments.name
