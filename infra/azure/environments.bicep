// The environments. foundation.bicepparam and main.bicepparam choose one by its name, and read the variables that azd keeps.

import { appSettings, scaleGroup } from 'generated/types.bicep'
import { gatewayFront } from 'modules/apim.bicep'
import { resourceNames } from 'modules/names.bicep'
import { networkIds } from 'modules/network.bicep'

@description('What `azd env set` gives an environment; docs/deploy.md says what each is. Empty: it was not set.')
@export()
type variables = {
  ACCESS_LOGS_ID: string
  ADMINISTRATORS_PRINCIPAL_ID: string
  ALERTS_EMAIL: string
  AUDIT_DESTINATION_ID: string
  BUDGET_START: string
  CONSUMER_WEB_ORIGIN: string
  EXPORTS_LOCATION: string
  EXPORTS_REPOSITORY: string
  MAIL_FROM: string
  OPERATORS_PRINCIPAL_ID: string
  PUBLISHER_EMAIL: string
  READERS_PRINCIPAL_ID: string
}

@description('What stands for a variable that was not set.')
type standIns = {
  ALERTS_EMAIL: string
  CONSUMER_WEB_ORIGIN: string
  MAIL_FROM: string
  PUBLISHER_EMAIL: string
}

@export()
type environment = {
  privateNetwork: bool
  @description('Whether calls from the private network to the internet leave by one lasting address.')
  natGateway: bool
  serviceBusSku: 'Standard' | 'Premium'
  @description('What stands before the gateway. Left out: callers reach it directly.')
  front: gatewayFront?
  @description('What a landing zone has already. Left out: the templates make it.')
  existing: { network: networkIds?, workspaceId: string? }?
  @description('All names, and tags, by a convention of your own.')
  names: resourceNames?
  tags: object?
  @description('Public addresses or ranges from which operators and pipelines reach vaults and tables through their firewalls.')
  operatorAddresses: string[]
  @description('Gigabytes of logs a day.')
  dailyQuotaGb: int
  @description('Days for which the log is kept.')
  logRetentionDays: int
  @description('Whether nobody can delete a vault for good before its 90 days are over. It cannot be switched off again.')
  purgeProtection: bool
  dataRedundancy: 'Standard_LRS' | 'Standard_ZRS' | 'Standard_GZRS'
  hostRedundancy: 'Standard_LRS' | 'Standard_ZRS'
  lockData: bool
  exportsKept: { immutableDays: int, removedAfterDays: int, isLocked: bool }
  @description('MAIL_FROM is replaced by the variable of that name.')
  settings: appSettings
  alwaysReady: { name: scaleGroup, instanceCount: int }[]
  maximumInstances: int
  zoneRedundant: bool
  gatewaySku: 'BasicV2' | 'StandardV2'
  gatewaySampling: { standard: int, terminals: int }
  developerPortal: bool
  monthlyBudget: int
  @description('Left out: the environment demands every variable.')
  standIns: standIns?
}

// For trials: the cheapest tiers that have every feature. No instance is kept ready, so the first payment after a pause waits for two cold
// starts, and terminals get more time to accept.
var dev environment = {
  privateNetwork: false
  natGateway: false
  serviceBusSku: 'Standard'
  operatorAddresses: []
  dailyQuotaGb: 1
  logRetentionDays: 30
  purgeProtection: false // an environment for trials may be deleted
  dataRedundancy: 'Standard_LRS'
  hostRedundancy: 'Standard_LRS'
  lockData: false
  exportsKept: { immutableDays: 7, removedAfterDays: 30, isLocked: false }
  settings: {
    MAIL_FROM: ''
    WRITE_VERSION: '1'
    ACCEPTANCE_SECONDS: '90'
  }
  alwaysReady: []
  maximumInstances: 40
  zoneRedundant: false
  gatewaySku: 'BasicV2'
  gatewaySampling: { standard: 100, terminals: 100 }
  developerPortal: true
  monthlyBudget: 450 // the first alert comes at four fifths; one terminal stays below that: docs/costs.md
  standIns: {
    ALERTS_EMAIL: 'operators@payments.example'
    CONSUMER_WEB_ORIGIN: 'http://localhost:8080'
    MAIL_FROM: 'Vouchers <vouchers@payments.example>'
    PUBLISHER_EMAIL: 'operators@payments.example'
  }
}

// Tables, queues and the app survive the loss of a zone. The gateway has one unit and does not. Only the gateway, and the Service Bus (by
// identity), can be reached in public.
var prod environment = {
  privateNetwork: true
  natGateway: false // it would stand in one zone
  serviceBusSku: 'Standard'
  operatorAddresses: []
  dailyQuotaGb: 10
  logRetentionDays: 365 // for a year, there may be questions about who did what with cards' money
  purgeProtection: true
  dataRedundancy: 'Standard_GZRS'
  hostRedundancy: 'Standard_ZRS'
  lockData: true
  // Lock it after the first export was restored once. Once locked, the days cannot be reduced, and the account cannot be deleted while it
  // has exports.
  exportsKept: { immutableDays: 35, removedAfterDays: 90, isLocked: false }
  // WRITE_VERSION is the version in which rows and messages are written. Change it in a separate deployment, after every instance runs a
  // release that reads the new version.
  settings: {
    MAIL_FROM: ''
    WRITE_VERSION: '1'
  }
  // A terminal must accept a payment within 30 s, so the functions on that path never start cold. Each has two instances, in two zones. A
  // plan over several zones also keeps two of every other worker, and bills them: 16 in all.
  alwaysReady: [
    { name: 'http', instanceCount: 2 }
    { name: 'function:terminal-messages', instanceCount: 2 }
    { name: 'function:deadlines', instanceCount: 2 }
  ]
  maximumInstances: 100
  zoneRedundant: true
  gatewaySku: 'StandardV2'
  gatewaySampling: { standard: 5, terminals: 1 }
  developerPortal: false // a call of its console moves money, by keys typed into a page; partners do trials in dev
  monthlyBudget: 3000 // a thousand terminals and a million payments stay below four fifths: docs/costs.md
}

@export()
var environments { *: environment } = { dev: dev, prod: prod }

@description('Why the environment is not deployed, as a sentence. Empty: it may be.')
@export()
func refusalOf(name string, found environment?, given variables) string =>
  found == null
    ? 'There is no environment \'${name}\', which AZURE_ENV_NAME names: azd env new dev, or azd env new prod.'
    : found.?standIns == null && contains(map(items(given), variable => variable.value), '')
        ? '${name} lacks ${join(map(filter(items(given), variable => empty(variable.value)), variable => variable.key), ', ')}: azd env set <variable> <value>.'
        : empty(given.ACCESS_LOGS_ID) || contains(toLower(given.ACCESS_LOGS_ID), '/microsoft.storage/storageaccounts/')
            ? ''
            : 'ACCESS_LOGS_ID names no storage account. Elsewhere the lines of idle terminals alone would cost more than the platform.'

@description('The variables, each with its stand-in where it was not set.')
@export()
func valuesOf(found environment, given variables) variables =>
  union(
    given,
    found.?standIns ?? {},
    toObject(filter(items(given), variable => !empty(variable.value)), variable => variable.key, variable => variable.value)
  )
