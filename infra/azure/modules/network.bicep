// The private network of an environment whose gateway is its only public entry.

import { zones } from 'zones.bicep'

@description('What the other modules use of a network, as resource identifiers.')
@export()
type networkIds = {
  @description('`functions` is delegated to Microsoft.App/environments, and `gateway` to Microsoft.Web/serverFarms.')
  subnets: { functions: string, gateway: string, endpoints: string }
  @description('The private zones. Left out: the network\'s owner gives each private endpoint its name, such as by a policy.')
  zones: { table: string, blob: string, vault: string, sites: string, namespace: string, Gateway: string }?
}

@description('The network that this module makes in the resource group.')
@export()
func networkOf(groupId string, name string) networkIds => {
  subnets: {
    functions: '${groupId}/providers/Microsoft.Network/virtualNetworks/${name}/subnets/functions'
    gateway: '${groupId}/providers/Microsoft.Network/virtualNetworks/${name}/subnets/gateway'
    endpoints: '${groupId}/providers/Microsoft.Network/virtualNetworks/${name}/subnets/endpoints'
  }
  zones: {
    table: '${groupId}/providers/Microsoft.Network/privateDnsZones/${zones.table}'
    blob: '${groupId}/providers/Microsoft.Network/privateDnsZones/${zones.blob}'
    vault: '${groupId}/providers/Microsoft.Network/privateDnsZones/${zones.vault}'
    sites: '${groupId}/providers/Microsoft.Network/privateDnsZones/${zones.sites}'
    namespace: '${groupId}/providers/Microsoft.Network/privateDnsZones/${zones.namespace}'
    Gateway: '${groupId}/providers/Microsoft.Network/privateDnsZones/${zones.Gateway}'
  }
}

param name string
@description('Whether calls to the internet leave by a NAT gateway, with one lasting address. Otherwise they leave by Azure\'s own addresses, which change.')
param natGateway bool
param location string
param tags object

var prefixes = { functions: '10.20.1.0/24', gateway: '10.20.2.0/24', endpoints: '10.20.3.0/24' }

type opening = { name: string, to: string, ports: string[] }

@description('The rules of a subnet: it opens connections to these and to itself, and to nothing else.')
func outboundRules(own string, openings opening[]) object[] =>
  map(
    concat(
      map(openings, (one, at) => { ...one, access: 'Allow', priority: 100 + at }),
      [
        { name: 'itself', to: own, ports: ['*'], access: 'Allow', priority: 200 }
        { name: 'nothing-else', to: '*', ports: ['*'], access: 'Deny', priority: 4096 }
      ]
    ),
    one => {
      name: one.name
      properties: {
        direction: 'Outbound'
        access: one.access
        priority: one.priority
        protocol: contains(one.ports, '*') ? '*' : 'Tcp'
        sourceAddressPrefix: '*'
        sourcePortRange: '*'
        destinationAddressPrefix: one.to
        destinationPortRanges: one.ports
      }
    }
  )

// Private endpoints, and the Service Bus, which may be public.
var platform = { name: 'platform', to: 'VirtualNetwork', ports: ['443', '5671'] }
var bus = { name: 'bus', to: 'ServiceBus', ports: ['5671'] }
// Webhooks, tokens and logs. A webhook's address has no other port.
var internet = { name: 'https', to: 'Internet', ports: ['443'] }
var mail = { name: 'mail', to: 'Internet', ports: ['465', '587'] }

resource functionsRules 'Microsoft.Network/networkSecurityGroups@2026-03-01' = {
  name: 'nsg-${name}-functions'
  location: location
  tags: tags
  properties: { securityRules: outboundRules(prefixes.functions, [platform, bus, internet, mail]) }
}

resource gatewayRules 'Microsoft.Network/networkSecurityGroups@2026-03-01' = {
  name: 'nsg-${name}-gateway'
  location: location
  tags: tags
  properties: { securityRules: outboundRules(prefixes.gateway, [platform, internet]) }
}

var fromNetwork = {
  direction: 'Inbound'
  access: 'Allow'
  priority: 100
  protocol: 'Tcp'
  sourceAddressPrefix: 'VirtualNetwork'
  sourcePortRange: '*'
  destinationAddressPrefix: '*'
  destinationPortRanges: platform.ports
}

resource endpointsRules 'Microsoft.Network/networkSecurityGroups@2026-03-01' = {
  name: 'nsg-${name}-endpoints'
  location: location
  tags: tags
  properties: {
    securityRules: [
      { name: 'platform', properties: fromNetwork }
      {
        name: 'nothing-else'
        properties: {
          ...fromNetwork
          access: 'Deny'
          priority: 4096
          protocol: '*'
          sourceAddressPrefix: '*'
          destinationPortRanges: ['*']
        }
      }
    ]
  }
}

// The tier that works in all zones does not serve subnets of Azure Container Apps, on which the app runs.
resource address 'Microsoft.Network/publicIPAddresses@2026-03-01' = if (natGateway) {
  name: 'pip-${name}'
  location: location
  tags: tags
  sku: { name: 'Standard' }
  properties: { publicIPAllocationMethod: 'Static' }
}

resource nat 'Microsoft.Network/natGateways@2026-03-01' = if (natGateway) {
  name: 'ng-${name}'
  location: location
  tags: tags
  sku: { name: 'Standard' }
  properties: { publicIpAddresses: [{ id: address.id }] }
}

var outbound = natGateway
  ? { defaultOutboundAccess: false, natGateway: { id: nat.id } }
  : { defaultOutboundAccess: true }

resource network 'Microsoft.Network/virtualNetworks@2026-03-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    addressSpace: { addressPrefixes: ['10.20.0.0/16'] }
    // The subnets are part of this resource. As separate resources, a second deployment would remove them and add them again.
    subnets: [
      {
        name: 'functions'
        properties: {
          addressPrefix: prefixes.functions
          delegations: [{ name: 'functions', properties: { serviceName: 'Microsoft.App/environments' } }]
          networkSecurityGroup: { id: functionsRules.id }
          ...outbound
        }
      }
      {
        name: 'gateway'
        properties: {
          addressPrefix: prefixes.gateway
          delegations: [{ name: 'gateway', properties: { serviceName: 'Microsoft.Web/serverFarms' } }]
          networkSecurityGroup: { id: gatewayRules.id }
          ...outbound
        }
      }
      {
        name: 'endpoints'
        properties: {
          addressPrefix: prefixes.endpoints
          defaultOutboundAccess: false
          networkSecurityGroup: { id: endpointsRules.id }
          privateEndpointNetworkPolicies: 'NetworkSecurityGroupEnabled'
        }
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
