// Only the service of API Management. Its identity gets roles first, because its configuration refers to secrets that it reads with them.

import { networkIds } from 'network.bicep'

@description('What stands before the gateway, with its public address. `id` is what Front Door sends as X-Azure-FDID.')
@export()
@discriminator('kind')
type gatewayFront =
  | { kind: 'frontDoor', url: string, id: string }
  | { kind: 'applicationGateway', url: string }

param name string
@description('Both have limits by key and a network of their own if need be. Consumption has no limits by key.')
param sku 'BasicV2' | 'StandardV2'
@minValue(1)
param units int
param publisher { name: string, email: string }
param developerPortal bool
@description('The host names that callers know, whose certificates stand in a key vault. Callers without SNI get the certificate of the first. Empty: Azure\'s own name, which a move to another service does not survive.')
param customDomains { hostName: string, certificateSecretId: string }[]
@description('Whether callers come through a front only. Azure closes the gateway to the public only if it has a private endpoint already.')
param isBehindFront bool
@description('Null: it calls what is reached in public.')
param network networkIds?
param location string
param tags object

var isPrivate = network != null

resource service 'Microsoft.ApiManagement/service@2024-05-01' = {
  name: name
  location: location
  tags: tags
  sku: { name: sku, capacity: units }
  identity: { type: 'SystemAssigned' } // a user-assigned identity does not pass a vault's firewall
  properties: {
    publisherName: publisher.name
    publisherEmail: publisher.email
    apiVersionConstraint: { minApiVersion: '2021-08-01' } // older ones return secrets with the resources
    developerPortalStatus: developerPortal ? 'Enabled' : 'Disabled'
    virtualNetworkType: isPrivate ? 'External' : 'None'
    virtualNetworkConfiguration: isPrivate ? { subnetResourceId: network!.subnets.gateway } : null
    publicNetworkAccess: isBehindFront ? 'Disabled' : 'Enabled'
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

module endpoint 'private-endpoint.bicep' = if (isPrivate) {
  params: {
    target: { name: service.name, id: service.id }
    group: 'Gateway'
    network: network!
    location: location
    tags: tags
  }
}

output principalId string = service.identity.principalId
output url string = service.properties.gatewayUrl
// Without a portal, no page has this origin: a name under .invalid cannot be registered (RFC 2606).
output portalOrigin string = developerPortal ? service.properties.developerPortalUrl : 'https://no-portal.invalid'
