using 'foundation.bicep'

import { environments, refusalOf } from 'environments.bicep'

var name = readEnvironmentVariable('AZURE_ENV_NAME', '')
// Read here too, so that an environment without one of them is rejected before anything is made.
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

param environmentName = empty(refusal) ? name : fail(refusal)
param privateNetwork = environment.privateNetwork
param natGateway = environment.natGateway
param existingNetwork = environment.?existing.?network
param existingWorkspaceId = environment.?existing.?workspaceId
param ownNames = environment.?names
param ownTags = environment.?tags ?? {}
param operatorAddresses = environment.operatorAddresses
param dailyQuotaGb = environment.dailyQuotaGb
param logRetentionDays = environment.logRetentionDays
param purgeProtection = environment.purgeProtection
