// Two accounts. One has the tables, which are the truth about money. The other has the data of the Functions host. No key opens them.

var platform = loadJsonContent('../generated/platform.json')

param hostName string
param dataName string
@description('How many copies of the tables there are, and where.')
param dataRedundancy 'Standard_LRS' | 'Standard_ZRS' | 'Standard_GZRS'
param hostRedundancy 'Standard_LRS' | 'Standard_ZRS'
@description('Whether a lock keeps the tables from being deleted with their account.')
param lockData bool
@description('Null: reached in public, by identities with roles. Otherwise only through this network, and from the addresses of the operators.')
param networkName string?
param operatorAddresses string[]
@description('The storage account or workspace that gets a line for each write to the tables, with the identity that wrote. Empty: nothing does.')
param auditDestinationId string
param location string
param tags object

var isPrivate = networkName != null
@export()
var properties = {
  allowSharedKeyAccess: false
  allowBlobPublicAccess: false
  defaultToOAuthAuthentication: true
  minimumTlsVersion: 'TLS1_2'
  supportsHttpsTrafficOnly: true
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
  }

  resource blobs 'blobServices' = {
    name: 'default'
    properties: { deleteRetentionPolicy: { enabled: true, days: 7 } }

    resource deployments 'containers' = { name: 'deployments' }
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
      networkName: networkName!
      location: location
      tags: tags
    }
  }
]

output hostBlobEndpoint string = host.properties.primaryEndpoints.blob
output dataTableEndpoint string = data.properties.primaryEndpoints.table
output deploymentsContainer string = host::blobs::deployments.name
