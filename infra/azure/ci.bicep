// The identity with which a pipeline of GitHub deploys, without a secret. A person deploys this, because no pipeline may set its own rights.
// It comes after the first `azd up`, which makes the identities to which the pipeline may give roles.

import { namesOf, resourceNames } from 'modules/names.bicep'

@minLength(2)
@maxLength(8)
param environmentName string
param location string = resourceGroup().location
@description('The repository as GitHub\'s tokens name it: `<owner>@<number>/<name>@<number>`, or `<owner>/<name>` where it is older than its numbers there.')
@minLength(3)
param repository string
@description('As in main.bicep: the three groups of people, the mail application of this tenant, and names of your own.')
param readersPrincipalId string = ''
param operatorsPrincipalId string = ''
param administratorsPrincipalId string = ''
param smtpPrincipalId string = ''
param ownNames resourceNames?

var names = ownNames ?? namesOf(environmentName, take(uniqueString(resourceGroup().id), 6))

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: names.pipeline
  location: location
  tags: { 'azd-env-name': environmentName }

  // Only a job of this environment of the repository.
  resource github 'federatedIdentityCredentials' = {
    name: 'github'
    properties: {
      issuer: 'https://token.actions.githubusercontent.com'
      subject: 'repo:${repository}:environment:${environmentName}'
      audiences: ['api://AzureADTokenExchange']
    }
  }
}

resource app 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = { name: names.identity }
resource exporter 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = { name: names.exporter }
resource gateway 'Microsoft.ApiManagement/service@2024-05-01' existing = { name: names.gateway }

module rights 'modules/ci.bicep' = {
  params: {
    pipelinePrincipalId: identity.properties.principalId
    principalIds: filter(
      [
        app.properties.principalId
        exporter.properties.principalId
        gateway.identity!.principalId
        readersPrincipalId
        operatorsPrincipalId
        administratorsPrincipalId
        smtpPrincipalId
      ],
      id => !empty(id)
    )
  }
}

output clientId string = identity.properties.clientId
