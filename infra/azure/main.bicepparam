using 'main.bicep'

import { environments, refusalOf, valuesOf } from 'environments.bicep'

var name = readEnvironmentVariable('AZURE_ENV_NAME', '')
var given = {
  ACCESS_LOGS_ID: readEnvironmentVariable('ACCESS_LOGS_ID', '')
  ADMINISTRATORS_PRINCIPAL_ID: readEnvironmentVariable('ADMINISTRATORS_PRINCIPAL_ID', '')
  ALERTS_EMAIL: readEnvironmentVariable('ALERTS_EMAIL', '')
  AUDIT_DESTINATION_ID: readEnvironmentVariable('AUDIT_DESTINATION_ID', '')
  BUDGET_START: readEnvironmentVariable('BUDGET_START', '')
  CONSUMER_WEB_ORIGIN: readEnvironmentVariable('CONSUMER_WEB_ORIGIN', '')
  EXPORTS_LOCATION: readEnvironmentVariable('EXPORTS_LOCATION', '')
  EXPORTS_REPOSITORY: readEnvironmentVariable('EXPORTS_REPOSITORY', '')
  MAIL_FROM: readEnvironmentVariable('MAIL_FROM', '')
  OPERATORS_PRINCIPAL_ID: readEnvironmentVariable('OPERATORS_PRINCIPAL_ID', '')
  PUBLISHER_EMAIL: readEnvironmentVariable('PUBLISHER_EMAIL', '')
  READERS_PRINCIPAL_ID: readEnvironmentVariable('READERS_PRINCIPAL_ID', '')
}
var found = environments[?name]
var refusal = refusalOf(name, found, given)
// If there is a refusal, it ends the build of these parameters. So this default is never deployed.
var environment = found ?? environments.dev
var values = valuesOf(environment, given)

param environmentName = empty(refusal) ? name : fail(refusal)
param privateNetwork = environment.privateNetwork
param existingNetwork = environment.?existing.?network
param existingWorkspaceId = environment.?existing.?workspaceId
param ownNames = environment.?names
param ownTags = environment.?tags ?? {}
param operatorAddresses = environment.operatorAddresses
param readersPrincipalId = values.READERS_PRINCIPAL_ID
param operatorsPrincipalId = values.OPERATORS_PRINCIPAL_ID
param administratorsPrincipalId = values.ADMINISTRATORS_PRINCIPAL_ID
param accessLogsId = values.ACCESS_LOGS_ID
param auditDestinationId = values.AUDIT_DESTINATION_ID

param dataRedundancy = environment.dataRedundancy
param hostRedundancy = environment.hostRedundancy
param lockData = environment.lockData
param exportsLocation = values.EXPORTS_LOCATION
param exportsKept = environment.exportsKept
param exportsRepository = values.EXPORTS_REPOSITORY

param settings = { ...environment.settings, MAIL_FROM: values.MAIL_FROM }
param alwaysReady = environment.alwaysReady
param maximumInstances = environment.maximumInstances
param zoneRedundant = environment.zoneRedundant

param serviceBusSku = environment.serviceBusSku

param gatewaySku = environment.gatewaySku
param gatewaySampling = environment.gatewaySampling
param front = environment.?front
param developerPortal = environment.developerPortal
param publisher = { name: 'Terminal payments', email: values.PUBLISHER_EMAIL }
param consumerWebOrigin = values.CONSUMER_WEB_ORIGIN

param alertsAddress = values.ALERTS_EMAIL
param monthlyBudget = environment.monthlyBudget
param budgetStart = values.BUDGET_START
