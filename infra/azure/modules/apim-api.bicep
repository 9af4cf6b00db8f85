// One API: its document, its policy, and the policies of its operations. The import of the document makes the operations.

param serviceName string
param api {
  id: string
  title: string
  path: string
  subscriptionRequired: bool
  @description('The OpenAPI document, as JSON.')
  document: string
  xml: string
  operations: { name: string, xml: string }[]
}
@description('The Functions app. The global policy sets it for every call; an import without any address may be refused.')
param serviceUrl string
param loggerId string
param samplingPercentage int

var nothingOfTheCall = { headers: [], body: { bytes: 0 } }

resource service 'Microsoft.ApiManagement/service@2024-05-01' existing = {
  name: serviceName
}

resource imported 'Microsoft.ApiManagement/service/apis@2024-05-01' = {
  parent: service
  name: api.id
  properties: {
    displayName: api.title
    path: api.path
    serviceUrl: serviceUrl
    protocols: ['https']
    subscriptionRequired: api.subscriptionRequired
    format: 'openapi+json'
    value: api.document
  }
}

resource policy 'Microsoft.ApiManagement/service/apis/policies@2024-05-01' = {
  parent: imported
  name: 'policy'
  properties: { format: 'xml', value: api.xml }
}

resource operation 'Microsoft.ApiManagement/service/apis/operations@2024-05-01' existing = [
  for one in api.operations: {
    parent: imported
    name: one.name
  }
]

// One after the other, because the service rejects a change of an API while it works on another change.
@batchSize(1)
resource operationPolicy 'Microsoft.ApiManagement/service/apis/operations/policies@2024-05-01' = [
  for (one, at) in api.operations: {
    parent: operation[at]
    name: 'policy'
    properties: { format: 'xml', value: one.xml }
    dependsOn: [policy]
  }
]

// Logs no headers and no bodies, because they contain keys, card data and addresses.
resource diagnostics 'Microsoft.ApiManagement/service/apis/diagnostics@2024-05-01' = {
  parent: imported
  name: 'applicationinsights'
  properties: {
    loggerId: loggerId
    alwaysLog: 'allErrors'
    sampling: { samplingType: 'fixed', percentage: samplingPercentage }
    httpCorrelationProtocol: 'W3C'
    verbosity: 'information'
    logClientIp: false
    metrics: true
    frontend: { request: nothingOfTheCall, response: nothingOfTheCall }
    backend: { request: nothingOfTheCall, response: nothingOfTheCall }
  }
  dependsOn: [operationPolicy]
}
