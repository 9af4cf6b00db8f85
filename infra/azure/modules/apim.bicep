// Only the service of API Management. Its identity gets roles first, because its configuration refers to secrets that it reads with them.

param name string
@description('Both have limits by key and a network of their own if need be. Consumption has no limits by key.')
param sku 'BasicV2' | 'StandardV2'
@minValue(1)
param units int
param publisher { name: string, email: string }
param developerPortal bool
@description('The host names that callers know, whose certificates stand in a key vault. Callers without SNI get the certificate of the first. Empty: Azure\'s own name, which a move to another service does not survive.')
param customDomains { hostName: string, certificateSecretId: string }[]
@description('Null: it calls what is reached in public.')
param networkName string?
param location string
param tags object

import { subnets } from 'names.bicep'

var isPrivate = networkName != null

resource network 'Microsoft.Network/virtualNetworks@2024-07-01' existing = if (isPrivate) {
  name: networkName ?? 'none'

  resource gateway 'subnets' existing = { name: subnets.gateway }
}

resource service 'Microsoft.ApiManagement/service@2024-05-01' = {
  name: name
  location: location
  tags: tags
  sku: { name: sku, capacity: units }
  identity: { type: 'SystemAssigned' } // a user-assigned identity does not pass a vault's firewall
  properties: {
    publisherName: publisher.name
    publisherEmail: publisher.email
    developerPortalStatus: developerPortal ? 'Enabled' : 'Disabled'
    virtualNetworkType: isPrivate ? 'External' : 'None'
    virtualNetworkConfiguration: isPrivate ? { subnetResourceId: network::gateway.id } : null
    hostnameConfigurations: [
      for (domain, i) in customDomains: {
        type: 'Proxy'
        hostName: domain.hostName
        keyVaultId: domain.certificateSecretId
        defaultSslBinding: i == 0
        certificateSource: 'KeyVault'
      }
    ]
  }
}

output principalId string = service.identity.principalId
output url string = service.properties.gatewayUrl
// Without a portal, no page has this origin: a name under .invalid cannot be registered (RFC 2606).
output portalOrigin string = developerPortal ? service.properties.developerPortalUrl : 'https://no-portal.invalid'
