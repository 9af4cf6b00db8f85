// The platform, deployed after foundation.bicep and the secrets. Roles come before the resources that need them.

import { gatewayFront } from 'modules/apim.bicep'
import { appSettings, scaleGroup } from 'generated/types.bicep'
import { namesOf, resourceNames } from 'modules/names.bicep'
import { networkIds, networkOf } from 'modules/network.bicep'

@minLength(2)
@maxLength(8)
param environmentName string
param location string = resourceGroup().location
@description('Whether tables, vaults and the app are reached through a private network alone, which foundation.bicep made.')
param privateNetwork bool
@description('The network of a landing zone. Null: foundation.bicep makes one, if there is one at all.')
param existingNetwork networkIds?
@description('The workspace of a landing zone, by its identifier. Null: foundation.bicep makes one.')
param existingWorkspaceId string?
@description('All names, by a convention of your own. Null: the names of modules/names.bicep.')
param ownNames resourceNames?
param ownTags object = {}
@description('Public addresses or ranges from which operators reach the tables. Without a private network all do.')
param operatorAddresses string[] = []
@description('The object identifiers of three groups of people: who look things up, who decide payments and see to alerts, and who make partners and rotate secrets. Empty: there is none yet.')
param readersPrincipalId string = ''
param operatorsPrincipalId string = ''
param administratorsPrincipalId string = ''
@description('The resource identifier of a storage account or a workspace in another group, where no operator may write: it gets a line for each write to the tables. Empty: nothing does.')
param auditDestinationId string = ''
@description('The resource identifier of a storage account in another group: it gets a line for each read of the tables, and for each call at the gateway. Empty: nothing does.')
param accessLogsId string = ''

@description('Copies of the tables. GZRS keeps a zone\'s loss from mattering, and has a late copy in another region.')
param dataRedundancy 'Standard_LRS' | 'Standard_ZRS' | 'Standard_GZRS'
param hostRedundancy 'Standard_LRS' | 'Standard_ZRS'
param lockData bool
@description('The region of the nightly exports: best the pair of that of the tables. Empty: that of the tables.')
param exportsLocation string = ''
@description('Days in which an export can be neither changed nor deleted, days after which it is removed, and whether the first number can only grow from now on.')
param exportsKept { immutableDays: int, removedAfterDays: int, isLocked: bool }
@description('The repository whose nightly job exports, as GitHub\'s tokens name it. Empty: none does, and no alert waits for an export.')
param exportsRepository string = ''
param serviceBusSku 'Standard' | 'Premium' = 'Standard'

@description('The app\'s settings that are neither secrets nor connections.')
param settings appSettings
param alwaysReady { name: scaleGroup, instanceCount: int }[]
param maximumInstances int
param updateStrategy 'RollingUpdate' | 'Recreate' = 'Recreate'
param nodeVersion '24' | '22' = '24'
param zoneRedundant bool

param gatewaySku 'BasicV2' | 'StandardV2'
param gatewayUnits int = 1
param publisher { name: string, email: string }
@description('Whether partners find documents and subscriptions in the developer portal, and its console may call from a browser.')
param developerPortal bool
@description('The gateway\'s own host names, such as one for partners and one for terminals. Set them in a later deployment, when the gateway\'s identity may read the certificates.')
param customDomains { hostName: string, certificateSecretId: string }[] = []
@description('What stands before the gateway. Set it in a later deployment, when the gateway has its private endpoint.')
param front gatewayFront?
@description('The origin of the consumers\' web application: scheme, host and port.')
param consumerWebOrigin string
@description('The share of calls at the gateway that are logged, in percent. Every error is.')
param gatewaySampling { standard: int, terminals: int }

@description('The mail address that alerts go to: a group of operators, better than one person.')
param alertsAddress string
@description('US dollars a month. An alert says when its cost is forecast to pass four fifths of it.')
param monthlyBudget int
@description('The first day of the month of the first deployment, as 2026-11-01: a budget can neither begin in the past nor be moved. Empty: no budget.')
param budgetStart string

@description('Null: mails leave by another server, which SMTP_URL names.')
param mail { domain: string, isVerified: bool, smtpApplicationId: string, smtpPrincipalId: string, dataLocation: string }?

var names = ownNames ?? namesOf(environmentName, take(uniqueString(resourceGroup().id), 6))
var busName = names.buses[serviceBusSku]
var tags = union(ownTags, { 'azd-env-name': environmentName })
var workspaceId = existingWorkspaceId ?? resourceId('Microsoft.OperationalInsights/workspaces', names.workspace)
var network = privateNetwork ? existingNetwork ?? networkOf(resourceGroup().id, names.network) : null

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: names.identity
}

module storage 'modules/storage.bicep' = {
  params: {
    hostName: names.hostStorage
    dataName: names.dataStorage
    dataRedundancy: dataRedundancy
    hostRedundancy: hostRedundancy
    lockData: lockData
    network: network
    operatorAddresses: operatorAddresses
    auditDestinationId: auditDestinationId
    accessLogsId: accessLogsId
    location: location
    tags: tags
  }
}

module bus 'modules/service-bus.bicep' = {
  params: {
    name: busName
    sku: serviceBusSku
    network: network
    workspaceId: workspaceId
    location: location
    tags: tags
  }
}

module gatewayService 'modules/apim.bicep' = {
  params: {
    name: names.gateway
    sku: gatewaySku
    units: gatewayUnits
    publisher: publisher
    developerPortal: developerPortal
    customDomains: customDomains
    isBehindFront: front != null
    network: network
    location: location
    tags: tags
  }
}

module backup 'modules/backup.bicep' = {
  params: {
    name: names.exportsStorage
    exporterName: names.exporter
    repository: exportsRepository
    environmentName: environmentName
    exportsLocation: empty(exportsLocation) ? location : exportsLocation
    kept: exportsKept
    lockData: lockData
    workspaceId: workspaceId
    network: network
    operatorAddresses: operatorAddresses
    location: location
    tags: tags
  }
}

module roles 'modules/roles.bicep' = {
  params: {
    appPrincipalId: identity.properties.principalId
    exporterPrincipalId: backup.outputs.exporterPrincipalId
    hostStorageName: names.hostStorage
    dataStorageName: names.dataStorage
    exportsStorageName: names.exportsStorage
    busName: busName
  }
  dependsOn: [storage, bus]
}

module operatorRoles 'modules/operator-roles.bicep' = {
  params: {
    readersPrincipalId: readersPrincipalId
    operatorsPrincipalId: operatorsPrincipalId
    administratorsPrincipalId: administratorsPrincipalId
    dataStorageName: names.dataStorage
    exportsStorageName: names.exportsStorage
    busName: busName
    gatewayName: names.gateway
    workspaceName: existingWorkspaceId == null ? names.workspace : null
    settingsVaultName: names.settingsVault
    keysVaultName: names.keysVault
  }
  dependsOn: [storage, bus, gatewayService, backup]
}

module gatewayRoles 'modules/gateway-roles.bicep' = {
  params: {
    gatewayPrincipalId: gatewayService.outputs.principalId
    keysVaultName: names.keysVault
    componentName: names.component
  }
}

var url = front.?url ?? gatewayService.outputs.url

module functions 'modules/functions.bicep' = {
  params: {
    planName: names.plan
    name: names.app
    identityName: names.identity
    componentName: names.component
    settingsVaultName: names.settingsVault
    keysVaultName: names.keysVault
    hostStorageName: names.hostStorage
    deploymentContainerUrl: '${storage.outputs.hostBlobEndpoint}${storage.outputs.deploymentsContainer}'
    tablesEndpoint: storage.outputs.dataTableEndpoint
    busHostName: bus.outputs.hostName
    settings: settings
    alwaysReady: alwaysReady
    maximumInstances: maximumInstances
    updateStrategy: updateStrategy
    nodeVersion: nodeVersion
    zoneRedundant: zoneRedundant
    network: network
    location: location
    tags: tags
  }
  dependsOn: [roles, gatewayService] // the gateway takes minutes, in which the app's roles become effective
}

module gateway 'modules/apim-gateway.bicep' = {
  params: {
    serviceName: names.gateway
    componentName: names.component
    keysVaultName: names.keysVault
    perEnvironment: {
      'functions-url': functions.outputs.url
      'consumer-web-origin': consumerWebOrigin
      'portal-origin': gatewayService.outputs.portalOrigin
      'front-door-id': front.?id ?? 'none'
      'problem-pages-url': settings.?PROBLEM_PAGES_URL ?? 'none'
    }
    sampling: gatewaySampling
    front: front
    accessLogsId: accessLogsId
  }
  dependsOn: [gatewayRoles]
}

module mails 'modules/mail.bicep' = if (mail != null) {
  params: {
    emailName: names.mail
    deliveryName: names.mailDelivery
    domain: mail!.domain
    isVerified: mail!.isVerified
    smtpApplicationId: mail!.smtpApplicationId
    smtpPrincipalId: mail!.smtpPrincipalId
    dataLocation: mail!.dataLocation
    tags: tags
  }
}

module alerts 'modules/alerts.bicep' = {
  params: {
    componentName: names.component
    workspaceId: workspaceId
    gatewayName: names.gateway
    gatewayUrl: url
    busName: busName
    dataStorageName: names.dataStorage
    appName: names.app
    maximumInstances: maximumInstances
    settingsVaultName: names.settingsVault
    awaitsExports: !empty(exportsRepository)
    operatorsAddress: alertsAddress
    monthlyBudget: monthlyBudget
    budgetStart: budgetStart
    location: location
    tags: tags
  }
  dependsOn: [functions, storage, bus]
}

// The values of this environment for clouds.json.
output tablesEndpoint string = storage.outputs.dataTableEndpoint
output serviceBusNamespace string = bus.outputs.hostName
output resourceGroup string = resourceGroup().name
output apiManagement string = names.gateway
output functionApp string = names.app
output keyVault string = names.settingsVault
// The address that the smoke test calls.
output gatewayUrl string = url
// The values for the nightly export.
output exportsStorage string = names.exportsStorage
output exporterClientId string = backup.outputs.exporterClientId
