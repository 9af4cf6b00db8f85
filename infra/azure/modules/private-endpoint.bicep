// A private address for one resource, with its name in the private zone.

import { networkIds } from 'network.bicep'

@description('The resource that gets the address, by its name and identifier.')
param target { name: string, id: string }
@description('What of it is reached: the name of a zone as well.')
param group 'table' | 'blob' | 'vault' | 'sites' | 'namespace' | 'Gateway'
param network networkIds
param location string
param tags object

resource endpoint 'Microsoft.Network/privateEndpoints@2026-03-01' = {
  name: 'pe-${target.name}-${group}'
  location: location
  tags: tags
  properties: {
    subnet: { id: network.subnets.endpoints }
    privateLinkServiceConnections: [
      {
        name: group
        properties: { privateLinkServiceId: target.id, groupIds: [group] }
      }
    ]
  }

  resource zoneGroup 'privateDnsZoneGroups' = if (network.?zones != null) {
    name: 'default'
    properties: {
      privateDnsZoneConfigs: [{ name: group, properties: { privateDnsZoneId: network.zones![group] } }]
    }
  }
}
