// The alerts that call an operator in Azure. The rules are data: alerts.json, and next to it a query for each log alert. docs/runbook.md
// has an entry for each alert. It says what the alert means for a customer's money, and what to do.

param componentName string
param workspaceId string
param gatewayName string
@description('The public address of the gateway, without a slash at its end.')
param gatewayUrl string
param busName string
@description('The storage account of the tables.')
param dataStorageName string
param appName string
param maximumInstances int
@description('The key vault with the secrets of the app settings.')
param settingsVaultName string
@description('Whether exports are made each night, so that one may be missing.')
param awaitsExports bool
@description('Who gets the mails: a group of operators, better than one person.')
param operatorsAddress string
@description('US dollars.')
@minValue(1)
param monthlyBudget int
@description('The first day of the month in which the budget was made, as 2026-11-01. Azure refuses another one later. Empty: there is no budget.')
param budgetStart string
param location string
param tags object

var rules = loadJsonContent('../alerts/alerts.json')
var logRules = filter(rules.log, rule => awaitsExports || rule.name != 'export-missing')
var lines = loadTextContent('../alerts/lines.kql')
// Bicep reads a file only if its path is a literal.
var queries = {
  'operator-alert': loadTextContent('../alerts/operator-alert.kql')
  'reconciling-open': loadTextContent('../alerts/reconciling-open.kql')
  'deadlines-late': loadTextContent('../alerts/deadlines-late.kql')
  'payments-expiring': loadTextContent('../alerts/payments-expiring.kql')
  'webhooks-failing': loadTextContent('../alerts/webhooks-failing.kql')
  'version-ahead': loadTextContent('../alerts/version-ahead.kql')
  'back-off': loadTextContent('../alerts/back-off.kql')
  'not-started': loadTextContent('../alerts/not-started.kql')
  'errors-in-code': loadTextContent('../alerts/errors-in-code.kql')
  'log-quota': loadTextContent('../alerts/log-quota.kql')
  'export-missing': loadTextContent('../alerts/export-missing.kql')
}
var others = toObject(rules.other, rule => rule.name)
var entry = 'What it means for the customer\'s money, and what to do: docs/runbook.md,'
var of = {
  component: component.id
  workspace: workspaceId
  serviceBus: bus.id
  gateway: gateway.id
  tables: '${dataStorage.id}/tableServices/default'
}

resource component 'Microsoft.Insights/components@2020-02-02' existing = { name: componentName }
resource gateway 'Microsoft.ApiManagement/service@2024-05-01' existing = { name: gatewayName }
resource bus 'Microsoft.ServiceBus/namespaces@2026-01-01' existing = { name: busName }
resource dataStorage 'Microsoft.Storage/storageAccounts@2025-01-01' existing = { name: dataStorageName }
resource app 'Microsoft.Web/sites@2025-03-01' existing = { name: appName }
resource settingsVault 'Microsoft.KeyVault/vaults@2026-02-01' existing = { name: settingsVaultName }

resource operators 'Microsoft.Insights/actionGroups@2023-01-01' = {
  name: 'operators'
  location: 'global'
  tags: tags
  properties: {
    groupShortName: 'operators'
    enabled: true
    emailReceivers: [
      {
        name: 'operators'
        emailAddress: operatorsAddress
        useCommonAlertSchema: true
      }
    ]
  }
}

resource logAlerts 'Microsoft.Insights/scheduledQueryRules@2026-03-01' = [
  for rule in logRules: {
    name: rule.name
    location: location
    tags: tags
    kind: 'LogAlert'
    properties: {
      displayName: rule.name
      description: '${rule.means} ${entry} ${rule.name}.'
      enabled: true
      severity: rule.severity
      scopes: [of[rule.of]]
      evaluationFrequency: rule.frequency
      windowSize: rule.window
      overrideQueryTimeRange: rule.lookback
      autoMitigate: rule.resolves
      // A component without data has no columns yet.
      skipQueryValidation: true
      criteria: {
        allOf: [
          {
            query: rule.of == 'component' ? '${lines}\n${queries[rule.name]}' : queries[rule.name]
            metricMeasureColumn: rule.measure
            timeAggregation: rule.aggregation
            operator: rule.operator
            threshold: rule.threshold
            dimensions: empty(rule.by) ? [] : [{ name: rule.by, operator: 'Include', values: ['*'] }]
            failingPeriods: {
              numberOfEvaluationPeriods: rule.periods
              minFailingPeriodsToAlert: rule.periods
            }
          }
        ]
      }
      actions: {
        actionGroups: [operators.id]
      }
    }
  }
]

resource metricAlerts 'Microsoft.Insights/metricAlerts@2026-01-01' = [
  for rule in rules.metric: {
    name: rule.name
    location: 'global'
    tags: tags
    properties: {
      description: '${rule.means} ${entry} ${rule.name}.'
      enabled: true
      severity: rule.severity
      scopes: [of[rule.of]]
      evaluationFrequency: rule.frequency
      windowSize: rule.window
      autoMitigate: true
      criteria: {
        'odata.type': 'Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria'
        allOf: [
          {
            criterionType: 'StaticThresholdCriterion'
            name: rule.name
            metricNamespace: rule.namespace
            metricName: rule.metric
            timeAggregation: rule.aggregation
            operator: rule.operator
            threshold: rule.threshold
            dimensions: empty(rule.dimension) ? [] : [{ name: rule.dimension, operator: 'Include', values: rule.values }]
            // Some metrics and dimensions appear with their first value.
            skipMetricValidation: true
          }
        ]
      }
      actions: [{ actionGroupId: operators.id }]
    }
  }
]

resource unauthorized 'Microsoft.Insights/metricAlerts@2026-01-01' = {
  name: 'unauthorized'
  location: 'global'
  tags: tags
  properties: {
    description: '${others.unauthorized.means} ${entry} unauthorized.'
    enabled: true
    severity: others.unauthorized.severity
    scopes: [gateway.id]
    evaluationFrequency: 'PT5M'
    windowSize: 'PT15M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria'
      allOf: [
        {
          criterionType: 'DynamicThresholdCriterion'
          name: 'unauthorized'
          metricNamespace: 'Microsoft.ApiManagement/service'
          metricName: 'Requests'
          timeAggregation: 'Total'
          operator: 'GreaterThan'
          alertSensitivity: 'Low'
          failingPeriods: {
            numberOfEvaluationPeriods: 4
            minFailingPeriodsToAlert: 3
          }
          dimensions: [{ name: 'GatewayResponseCode', operator: 'Include', values: ['401'] }]
          skipMetricValidation: true
        }
      ]
    }
    actions: [{ actionGroupId: operators.id }]
  }
}

resource instances 'Microsoft.Insights/metricAlerts@2026-01-01' = {
  name: 'instances'
  location: 'global'
  tags: tags
  properties: {
    description: '${others.instances.means} ${entry} instances.'
    enabled: true
    severity: others.instances.severity
    scopes: [app.id]
    evaluationFrequency: 'PT5M'
    windowSize: 'PT15M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria'
      allOf: [
        {
          criterionType: 'StaticThresholdCriterion'
          name: 'instances'
          metricNamespace: 'Microsoft.Web/sites'
          metricName: 'InstanceCount'
          timeAggregation: 'Maximum'
          operator: 'GreaterThan'
          threshold: maximumInstances * 4 / 5
          dimensions: []
          skipMetricValidation: true
        }
      ]
    }
    actions: [{ actionGroupId: operators.id }]
  }
}

// A test from outside, without a key. The gateway's global policy responds to a path that no API has.
resource unreachable 'Microsoft.Insights/webtests@2022-06-15' = {
  name: 'unreachable'
  location: location
  // The component finds its tests by this tag.
  tags: union(tags, { 'hidden-link:${component.id}': 'Resource' })
  kind: 'standard'
  properties: {
    SyntheticMonitorId: 'unreachable'
    Name: 'unreachable'
    Kind: 'standard'
    Enabled: true
    Frequency: 300
    Timeout: 30
    RetryEnabled: true
    Locations: [{ Id: 'emea-nl-ams-azr' }, { Id: 'us-va-ash-azr' }, { Id: 'apac-sg-sin-azr' }]
    Request: {
      RequestUrl: '${gatewayUrl}/outside'
      HttpVerb: 'GET'
      ParseDependentRequests: false
      FollowRedirects: false
    }
    ValidationRules: {
      ExpectedHttpStatusCode: 404
      ContentValidation: {
        ContentMatch: '"code":"not_found"'
        IgnoreCase: false
        PassIfTextFound: true
      }
      SSLCheck: true
      SSLCertRemainingLifetimeCheck: 14
    }
  }
}

resource unreachableAlert 'Microsoft.Insights/metricAlerts@2026-01-01' = {
  name: 'unreachable'
  location: 'global'
  tags: tags
  properties: {
    description: '${others.unreachable.means} ${entry} unreachable.'
    enabled: true
    severity: others.unreachable.severity
    scopes: [unreachable.id, component.id]
    evaluationFrequency: 'PT1M'
    windowSize: 'PT5M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria'
      webTestId: unreachable.id
      componentId: component.id
      failedLocationCount: 2
    }
    actions: [{ actionGroupId: operators.id }]
  }
}

resource vaultEvents 'Microsoft.EventGrid/systemTopics@2025-02-15' = {
  name: 'vault-events'
  location: location
  tags: tags
  properties: {
    source: settingsVault.id
    topicType: 'Microsoft.KeyVault.vaults'
  }
}

// Only versions of secrets that are set after this resource exists are watched.
resource nearExpiry 'Microsoft.EventGrid/systemTopics/eventSubscriptions@2025-02-15' = {
  parent: vaultEvents
  name: 'secret-near-expiry'
  properties: {
    destination: {
      endpointType: 'MonitorAlert'
      properties: {
        description: '${others['secret-near-expiry'].means} ${entry} secret-near-expiry.'
        severity: 'Sev${others['secret-near-expiry'].severity}'
        actionGroups: [operators.id]
      }
    }
    // Azure Monitor accepts events in this format only.
    eventDeliverySchema: 'CloudEventSchemaV1_0'
    filter: {
      includedEventTypes: ['Microsoft.KeyVault.SecretNearExpiry']
    }
  }
}

resource budget 'Microsoft.Consumption/budgets@2026-06-01' = if (!empty(budgetStart)) {
  name: 'budget'
  properties: {
    category: 'Cost'
    amount: monthlyBudget
    timeGrain: 'Monthly'
    timePeriod: { startDate: budgetStart }
    notifications: {
      forecast: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 80
        thresholdType: 'Forecasted'
        contactEmails: [operatorsAddress]
        contactGroups: [operators.id]
      }
      passed: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 100
        thresholdType: 'Actual'
        contactEmails: [operatorsAddress]
        contactGroups: [operators.id]
      }
    }
  }
}
