// The queues, as declared in infra/azure/service-bus, which the local broker reads too. No key opens the namespace.

import { networkIds } from 'network.bicep'

param name string
@description('Premium beyond about ten payments a second, or where nothing may be reached in public.')
param sku 'Standard' | 'Premium'
@description('Null: reached in public. A network needs Premium.')
param network networkIds?
@description('The identifier of the workspace that gets the namespace\'s logs.')
param workspaceId string
param location string
param tags object

var platform = loadJsonContent('../generated/platform.json')
var isPrivate = sku == 'Premium' && network != null

resource bus 'Microsoft.ServiceBus/namespaces@2026-01-01' = {
  name: name
  location: location
  tags: tags
  sku: { name: sku, tier: sku }
  properties: {
    disableLocalAuth: true
    minimumTlsVersion: '1.2'
    publicNetworkAccess: isPrivate ? 'Disabled' : 'Enabled'
  }
}

resource queue 'Microsoft.ServiceBus/namespaces/queues@2026-01-01' = [
  for queue in platform.queues: {
    parent: bus
    name: queue.name
    properties: queue.properties
  }
]

// Standard has the first two alone. The others say who received, peeked at or removed messages.
var logged = concat(
  ['OperationalLogs', 'VNetAndIPFilteringLogs'],
  sku == 'Premium' ? ['RuntimeAuditLogs', 'DiagnosticErrorLogs'] : []
)

#disable-next-line use-recent-api-versions // its newest version, a preview since 2021
resource logs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'logs'
  scope: bus
  properties: {
    workspaceId: workspaceId
    logs: map(logged, category => { category: category, enabled: true })
  }
}

module endpoint 'private-endpoint.bicep' = if (isPrivate) {
  params: {
    target: { name: bus.name, id: bus.id }
    group: 'namespace'
    network: network!
    location: location
    tags: tags
  }
}

output hostName string = split(split(bus.properties.serviceBusEndpoint, '://')[1], ':')[0]
