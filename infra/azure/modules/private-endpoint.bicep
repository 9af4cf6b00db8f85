// A private address for one resource, with its name in the private zone.

import { subnets } from 'names.bicep'
import { zones } from 'zones.bicep'

@description('The resource that gets the address, by its name and identifier.')
param target { name: string, id: string }
@description('What of it is reached: the name of a zone as well.')
param group 'table' | 'blob' | 'vault' | 'sites' | 'namespace'
param networkName string
param location string
param tags object

resource network 'Microsoft.Network/virtualNetworks@2024-07-01' existing = {
  name: networkName

  resource endpoints 'subnets' existing = { name: subnets.endpoints }
}

resource zone 'Microsoft.Network/privateDnsZones@2024-06-01' existing = {
  name: zones[group]
}

resource endpoint 'Microsoft.Network/privateEndpoints@2024-07-01' = {
  name: 'pe-${target.name}-${group}'
  location: location
  tags: tags
  properties: {
    subnet: { id: network::endpoints.id }
    privateLinkServiceConnections: [
      {
        name: group
        properties: { privateLinkServiceId: target.id, groupIds: [group] }
      }
    ]
  }

  resource zoneGroup 'privateDnsZoneGroups' = {
    name: 'default'
    properties: {
      privateDnsZoneConfigs: [{ name: group, properties: { privateDnsZoneId: zone.id } }]
    }
  }
}
