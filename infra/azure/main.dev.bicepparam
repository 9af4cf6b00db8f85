using 'main.bicep'

import { dev } from 'environments.bicep'

// To try things out: the cheapest tiers that have everything. Nothing waits ready, so the first payment after a pause meets two cold
// starts, and terminals get more time to accept.

param environmentName = dev.environmentName
param privateNetwork = dev.privateNetwork
param operatorAddresses = dev.operatorAddresses
param operatorsPrincipalId = readEnvironmentVariable('OPERATORS_PRINCIPAL_ID', '')

param dataRedundancy = 'Standard_LRS'
param hostRedundancy = 'Standard_LRS'
param lockData = false
param exportsKept = { immutableDays: 7, removedAfterDays: 30, isLocked: false }
param exportsRepository = readEnvironmentVariable('EXPORTS_REPOSITORY', '')

param settings = {
  MAIL_FROM: readEnvironmentVariable('MAIL_FROM', 'Vouchers <vouchers@payments.example>')
  WRITE_VERSION: '2'
  ACCEPTANCE_SECONDS: '90'
}
param alwaysReady = []
param maximumInstances = 40
param zoneRedundant = false

param gatewaySku = 'BasicV2'
param developerPortal = true
param publisher = {
  name: 'Terminal payments'
  email: readEnvironmentVariable('PUBLISHER_EMAIL', 'operators@payments.example')
}
param consumerWebOrigin = readEnvironmentVariable('CONSUMER_WEB_ORIGIN', 'http://localhost:8080')
param gatewaySampling = { standard: 100, terminals: 100 }

param alertsAddress = readEnvironmentVariable('ALERTS_EMAIL', 'operators@payments.example')
// One terminal stays below four fifths of it, where it first calls: docs/costs.md.
param monthlyBudget = 450
param budgetStart = readEnvironmentVariable('BUDGET_START', '')
