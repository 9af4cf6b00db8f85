// The Functions app on Flex Consumption: the app's settings, its instances, and how a new version replaces them.

import { appSettings, scaleGroup } from '../generated/types.bicep'
import { networkIds } from 'network.bicep'

param planName string
param name string
param identityName string
param componentName string
param settingsVaultName string
param keysVaultName string
param hostStorageName string
@description('Where the code is put: the container for deployments, with its account.')
param deploymentContainerUrl string
param tablesEndpoint string
param busHostName string
@description('The settings that are neither secrets nor connections.')
param settings appSettings
@description('Instances that wait with the app loaded. An idle group without any starts when its first message or request comes, in seconds.')
param alwaysReady { name: scaleGroup, instanceCount: int }[]
@minValue(40)
@maxValue(1000)
param maximumInstances int
@description('How a deployment replaces running instances: docs/releases.md.')
param updateStrategy 'RollingUpdate' | 'Recreate'
@description('Of Node. Where a region does not have 24 yet, 22 runs the app as well.')
param nodeVersion '24' | '22'
param zoneRedundant bool
@description('Null: reached in public, with a key of the function. Otherwise through this network alone.')
param network networkIds?
param location string
param tags object

var platform = loadJsonContent('../generated/platform.json')
var isPrivate = network != null

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

resource component 'Microsoft.Insights/components@2020-02-02' existing = {
  name: componentName
}

resource keysVault 'Microsoft.KeyVault/vaults@2026-02-01' existing = {
  name: keysVaultName
}

var hostSettings = {
  AzureWebJobsStorage__accountName: hostStorageName
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: identity.properties.clientId
  AzureWebJobsSecretStorageType: 'keyvault'
  AzureWebJobsSecretStorageKeyVaultUri: keysVault.properties.vaultUri
  AzureWebJobsSecretStorageKeyVaultClientId: identity.properties.clientId
  AzureWebJobsDisableHomepage: 'true'
  APPLICATIONINSIGHTS_CONNECTION_STRING: component.properties.ConnectionString
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identity.properties.clientId};Authorization=AAD'
}

var connections = {
  TABLES_CONNECTION__endpoint: tablesEndpoint
  TABLES_CONNECTION__credential: 'managedidentity'
  TABLES_CONNECTION__clientId: identity.properties.clientId
  SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: busHostName
  SERVICE_BUS_CONNECTION__credential: 'managedidentity'
  SERVICE_BUS_CONNECTION__clientId: identity.properties.clientId
}

// Without a version, so that the app gets the newest one at a restart, or by itself within a day.
var secrets = toObject(
  platform.secretSettings,
  one => one.setting,
  one => '@Microsoft.KeyVault(SecretUri=https://${settingsVaultName}${environment().suffixes.keyvaultDns}/secrets/${one.secret})'
)

var derived = {
  MAX_DELIVERY_COUNT: string(platform.queues[0].properties.maxDeliveryCount)
}

resource plan 'Microsoft.Web/serverfarms@2025-03-01' = {
  name: planName
  location: location
  tags: tags
  kind: 'functionapp'
  sku: { name: 'FC1', tier: 'FlexConsumption' }
  properties: { reserved: true, zoneRedundant: zoneRedundant }
}

resource app 'Microsoft.Web/sites@2025-03-01' = {
  name: name
  location: location
  tags: union(tags, { 'azd-service-name': 'functions' })
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: { '${identity.id}': {} }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    clientAffinityEnabled: false
    keyVaultReferenceIdentity: identity.id
    virtualNetworkSubnetId: network.?subnets.functions
    publicNetworkAccess: 'Enabled'
    #disable-next-line BCP037 // missing in the published types; closes /admin to everything but Azure's own management
    functionsRuntimeAdminIsolationEnabled: true
    functionAppConfig: {
      deployment: {
        storage: {
          type: 'blobContainer'
          value: deploymentContainerUrl
          authentication: { type: 'UserAssignedIdentity', userAssignedIdentityResourceId: identity.id }
        }
      }
      runtime: { name: 'node', version: nodeVersion }
      scaleAndConcurrency: {
        alwaysReady: alwaysReady
        instanceMemoryMB: 2048
        maximumInstanceCount: maximumInstances
        // A terminal's long poll occupies a slot for most of a minute, but uses hardly any processor time. With the default of 16 slots, a
        // thousand terminals would keep 63 instances running, and a partner's request would wait for a new instance.
        triggers: { http: { perInstanceConcurrency: 200 } }
      }
      #disable-next-line BCP037 // missing in the published types; without it Azure ends every running call at each change of code or settings
      siteUpdateStrategy: { type: updateStrategy }
    }
    siteConfig: {
      minTlsVersion: '1.2'
      // The gateway uses the private endpoint. Deployments use the other site (scm), which accepts only identities.
      ipSecurityRestrictionsDefaultAction: isPrivate ? 'Deny' : 'Allow'
      scmIpSecurityRestrictionsDefaultAction: 'Allow'
      scmIpSecurityRestrictionsUseMain: false
    }
  }
}

resource configuration 'Microsoft.Web/sites/config@2025-03-01' = {
  parent: app
  name: 'appsettings'
  properties: union(platform.hostSettings, hostSettings, connections, secrets, derived, settings)
}

// Disables passwords for deployments, by one policy for each protocol.
resource scm 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'scm'
  properties: { allow: false }
}

resource ftp 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'ftp'
  properties: { allow: false }
}

module endpoint 'private-endpoint.bicep' = if (isPrivate) {
  params: {
    target: { name: app.name, id: app.id }
    group: 'sites'
    network: network!
    location: location
    tags: tags
  }
}

output url string = 'https://${app.properties.defaultHostName}'
