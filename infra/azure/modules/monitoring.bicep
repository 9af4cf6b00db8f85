// The destination of logs. Writing to it requires an identity with a role. The connection string alone gives no right.

param workspaceName string
@description('The workspace of a landing zone. Null: one is made.')
param existingWorkspaceId string?
param componentName string
@description('Gigabytes a day, after which Azure drops what comes. Alerts on the log are blind from then on, so one fires on reaching it.')
param dailyQuotaGb int
@description('Days for which the log is kept.')
param retentionDays int
param location string
param tags object

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' = if (existingWorkspaceId == null) {
  name: workspaceName
  location: location
  tags: tags
  properties: {
    sku: { name: 'PerGB2018' }
    retentionInDays: retentionDays
    workspaceCapping: { dailyQuotaGb: dailyQuotaGb }
    features: { disableLocalAuth: true }
  }
}

resource component 'Microsoft.Insights/components@2020-02-02' = {
  name: componentName
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: existingWorkspaceId ?? workspace.id
    DisableLocalAuth: true
  }
}

output workspaceId string = existingWorkspaceId ?? workspace.id
