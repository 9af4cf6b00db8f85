// The configuration of API Management: infra/azure/apim, which the local gateway runs too. Each step uses the one before.

import { apis, fragments, globalPolicy } from '../generated/gateway.bicep'
import { environmentNamedValues } from '../generated/types.bicep'
import { gatewayFront } from 'apim.bicep'

param serviceName string
param componentName string
param keysVaultName string
param perEnvironment environmentNamedValues
@description('The share of calls that are logged. Every error is.')
param sampling { standard: int, terminals: int }
@description('What stands before the gateway. Null: callers reach it directly.')
param front gatewayFront?
@description('The storage account that gets a line for each call. Empty: nothing does.')
param accessLogsId string

var platform = loadJsonContent('../generated/platform.json')
// API Management reads a secret again within four hours. An operator can refresh it at once.
var plainValues = union(toObject(platform.limits, one => one.name, one => one.value), perEnvironment)

resource service 'Microsoft.ApiManagement/service@2024-05-01' existing = {
  name: serviceName
}

resource component 'Microsoft.Insights/components@2020-02-02' existing = {
  name: componentName
}

resource keysVault 'Microsoft.KeyVault/vaults@2026-02-01' existing = {
  name: keysVaultName
}

resource namedValue 'Microsoft.ApiManagement/service/namedValues@2024-05-01' = [
  for one in items(plainValues): {
    parent: service
    name: one.key
    properties: { displayName: one.key, value: one.value, secret: false }
  }
]

// Without a version, so that API Management reads a new key.
resource secretNamedValue 'Microsoft.ApiManagement/service/namedValues@2024-05-01' = [
  for one in platform.secretNamedValues: {
    parent: service
    name: one.name
    properties: {
      displayName: one.name
      secret: true
      keyVault: { secretIdentifier: '${keysVault.properties.vaultUri}secrets/${one.secret}' }
    }
  }
]

// How the caller's own address is known. One of them takes the place of the fragment.
var fronts = {
  frontDoor: loadTextContent('../apim/fronts/front-door.xml')
  applicationGateway: loadTextContent('../apim/fronts/application-gateway.xml')
}

resource fragment 'Microsoft.ApiManagement/service/policyFragments@2024-05-01' = [
  for one in fragments: {
    parent: service
    name: one.name
    properties: {
      format: 'xml'
      value: one.name == 'caller-address' && front != null ? fronts[front!.kind] : one.xml
    }
    dependsOn: [namedValue, secretNamedValue]
  }
]

resource global 'Microsoft.ApiManagement/service/policies@2024-05-01' = {
  parent: service
  name: 'policy'
  properties: { format: 'xml', value: globalPolicy }
  dependsOn: [fragment]
}

resource logger 'Microsoft.ApiManagement/service/loggers@2024-05-01' = {
  parent: service
  name: 'insights'
  properties: {
    loggerType: 'applicationInsights'
    resourceId: component.id
    credentials: { connectionString: component.properties.ConnectionString, identityClientId: 'SystemAssigned' }
  }
}

#disable-next-line use-recent-api-versions // its newest version, a preview since 2021
resource calls 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = if (!empty(accessLogsId)) {
  name: 'calls'
  scope: service
  properties: {
    storageAccountId: accessLogsId
    logs: [{ category: 'GatewayLogs', enabled: true }]
  }
}

// One after the other, because the service rejects a change of an API while it works on another.
@batchSize(1)
module api 'apim-api.bicep' = [
  for one in apis: {
    params: {
      serviceName: serviceName
      api: one
      serviceUrl: perEnvironment['functions-url']
      loggerId: logger.id
      samplingPercentage: one.id == 'terminals' ? sampling.terminals : sampling.standard
    }
    dependsOn: [global]
  }
]

// Products show an API in the developer portal to users who have signed up. A partner subscribes to the product. A subscription that is
// requested in the portal waits for an operator. It opens nothing without the partner's own apikey.
resource partners 'Microsoft.ApiManagement/service/products@2024-05-01' = {
  parent: service
  name: 'partners'
  properties: {
    displayName: 'Partners API'
    subscriptionRequired: true
    approvalRequired: true
    subscriptionsLimit: 5
    state: 'published'
  }
  dependsOn: [api]

  resource offered 'apis' = { name: 'partners' }
  resource readers 'groups' = { name: 'developers' }
}

resource consumer 'Microsoft.ApiManagement/service/products@2024-05-01' = {
  parent: service
  name: 'consumer'
  properties: { displayName: 'Consumer Web API', subscriptionRequired: false, state: 'published' }
  dependsOn: [api, partners]

  resource requests 'apis' = { name: 'landing-page-request' }
  resource pages 'apis' = { name: 'landing-page' }
  resource readers 'groups' = { name: 'developers' }
}
