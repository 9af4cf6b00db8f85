// The private network of an environment whose gateway is its only public entry.

import { subnets } from 'names.bicep'
import { zones } from 'zones.bicep'

param name string
param location string
param tags object

resource gatewayRules 'Microsoft.Network/networkSecurityGroups@2024-07-01' = {
  name: 'nsg-${name}-gateway' // API Management requires a group; the default rules are enough for outbound calls
  location: location
  tags: tags
}

resource network 'Microsoft.Network/virtualNetworks@2024-07-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    addressSpace: { addressPrefixes: ['10.20.0.0/16'] }
    // The subnets are part of this resource. As separate resources, a second deployment would remove them and add them again.
    subnets: [
      {
        name: subnets.functions
        properties: {
          addressPrefix: '10.20.1.0/24'
          // Webhooks, mails and requests for tokens leave here. If a partner's firewall needs one fixed address, add a NAT gateway.
          defaultOutboundAccess: true
          delegations: [{ name: 'functions', properties: { serviceName: 'Microsoft.App/environments' } }]
        }
      }
      {
        name: subnets.gateway
        properties: {
          addressPrefix: '10.20.2.0/24'
          defaultOutboundAccess: true // tokens and logs
          delegations: [{ name: 'gateway', properties: { serviceName: 'Microsoft.Web/serverFarms' } }]
          networkSecurityGroup: { id: gatewayRules.id }
        }
      }
      {
        name: subnets.endpoints
        properties: { addressPrefix: '10.20.3.0/24', defaultOutboundAccess: false }
      }
    ]
  }
}

resource privateZones 'Microsoft.Network/privateDnsZones@2024-06-01' = [
  for zone in items(zones): {
    name: zone.value
    location: 'global'
    tags: tags
  }
]

resource links 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [
  for (zone, at) in items(zones): {
    parent: privateZones[at]
    name: name
    location: 'global'
    tags: tags
    properties: {
      registrationEnabled: false
      virtualNetwork: { id: network.id }
    }
  }
]
