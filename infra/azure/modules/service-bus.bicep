// The queues, as declared in infra/azure/service-bus, which the local broker reads too. No key opens the namespace.

param name string
@description('Premium beyond about ten payments a second, or where nothing may be reached in public.')
param sku 'Standard' | 'Premium'
@description('Null: reached in public. A network needs Premium.')
param networkName string?
param location string
param tags object

var platform = loadJsonContent('../generated/platform.json')
var isPrivate = sku == 'Premium' && networkName != null

resource bus 'Microsoft.ServiceBus/namespaces@2024-01-01' = {
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

resource queue 'Microsoft.ServiceBus/namespaces/queues@2024-01-01' = [
  for queue in platform.queues: {
    parent: bus
    name: queue.name
    properties: queue.properties
  }
]

module endpoint 'private-endpoint.bicep' = if (isPrivate) {
  params: {
    target: { name: bus.name, id: bus.id }
    group: 'namespace'
    networkName: networkName!
    location: location
    tags: tags
  }
}

output hostName string = split(split(bus.properties.serviceBusEndpoint, '://')[1], ':')[0]
