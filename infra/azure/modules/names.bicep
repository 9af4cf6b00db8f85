// The names of the resources, for both deployments. A name contains the kind and the environment. Its last six characters make it unique.

@export()
type resourceNames = {
  identity: string
  exporter: string
  pipeline: string
  workspace: string
  component: string
  settingsVault: string
  keysVault: string
  network: string
  hostStorage: string
  dataStorage: string
  exportsStorage: string
  @description('One for each tier, because a namespace cannot change its tier in place.')
  buses: { Standard: string, Premium: string }
  plan: string
  app: string
  gateway: string
  mail: string
  mailDelivery: string
}

@description('`environmentName` has up to 8 characters and `unique` 6: a vault and a storage account have names of at most 24.')
@export()
func namesOf(environmentName string, unique string) resourceNames => {
  identity: 'id-payments-${environmentName}-${unique}'
  exporter: 'id-export-${environmentName}-${unique}'
  pipeline: 'id-pipeline-${environmentName}-${unique}'
  workspace: 'log-payments-${environmentName}-${unique}'
  component: 'appi-payments-${environmentName}-${unique}'
  settingsVault: 'kv-app-${environmentName}-${unique}'
  keysVault: 'kv-keys-${environmentName}-${unique}'
  network: 'vnet-payments-${environmentName}-${unique}'
  hostStorage: 'sthost${environmentName}${unique}'
  dataStorage: 'stdata${environmentName}${unique}'
  exportsStorage: 'stexports${environmentName}${unique}'
  buses: {
    Standard: 'sb-standard-${environmentName}-${unique}'
    Premium: 'sb-premium-${environmentName}-${unique}'
  }
  plan: 'plan-payments-${environmentName}-${unique}'
  app: 'func-payments-${environmentName}-${unique}'
  gateway: 'apim-payments-${environmentName}-${unique}'
  mail: 'mail-payments-${environmentName}-${unique}'
  mailDelivery: 'acs-payments-${environmentName}-${unique}'
}

@description('The container of the nightly exports.')
@export()
var exportsContainer = 'exports'
