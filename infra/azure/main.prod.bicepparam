using 'main.bicep'

import { prod } from 'environments.bicep'

// Tables, queues and the app survive the loss of a zone; the gateway's one unit does not. Only the gateway, and the Service Bus by identity, are reached in public.

param environmentName = prod.environmentName
param privateNetwork = prod.privateNetwork
param operatorAddresses = prod.operatorAddresses
param operatorsPrincipalId = readEnvironmentVariable('OPERATORS_PRINCIPAL_ID')

param dataRedundancy = 'Standard_GZRS'
param hostRedundancy = 'Standard_ZRS'
param lockData = true
param exportsLocation = readEnvironmentVariable('EXPORTS_LOCATION')
// Locked, nothing sets the days back and nobody deletes the account while it has exports: after the first export was restored once.
param exportsKept = { immutableDays: 35, removedAfterDays: 90, isLocked: false }
param exportsRepository = readEnvironmentVariable('EXPORTS_REPOSITORY')

// The version in which rows and messages are written. Another one is a deployment of its own, once every instance runs a release that reads it.
param settings = {
  MAIL_FROM: readEnvironmentVariable('MAIL_FROM')
  WRITE_VERSION: '2'
}
// A payment has 30 s until its terminal must have accepted it, so what brings it there never starts cold. Two of each: one a zone. A plan
// over several zones keeps two of every other worker as well, and bills them: 18 in all.
param alwaysReady = [
  { name: 'http', instanceCount: 2 }
  { name: 'function:terminal-messages', instanceCount: 2 }
  { name: 'function:deadlines', instanceCount: 2 }
]
param maximumInstances = 100
param zoneRedundant = true

param gatewaySku = 'StandardV2'
param developerPortal = false // a call of its console moves money, by keys typed into a page; partners try things out in dev
param publisher = {
  name: 'Terminal payments'
  email: readEnvironmentVariable('PUBLISHER_EMAIL')
}
param consumerWebOrigin = readEnvironmentVariable('CONSUMER_WEB_ORIGIN')
param gatewaySampling = { standard: 5, terminals: 1 }

param alertsAddress = readEnvironmentVariable('ALERTS_EMAIL')
// A thousand terminals and a million payments stay below four fifths of it, where it first calls: docs/costs.md.
param monthlyBudget = 3000
param budgetStart = readEnvironmentVariable('BUDGET_START')
