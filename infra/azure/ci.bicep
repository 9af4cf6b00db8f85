// The identity with which a pipeline of GitHub deploys, without a secret. A person deploys this once, before the pipeline, because no
// pipeline may set its own rights.

import { namesOf } from 'modules/names.bicep'

@minLength(2)
@maxLength(8)
param environmentName string
param location string = resourceGroup().location
@description('The repository as GitHub\'s tokens name it: `<owner>@<number>/<name>@<number>`, or `<owner>/<name>` where it is older than its numbers there.')
@minLength(3)
param repository string

var names = namesOf(environmentName, take(uniqueString(resourceGroup().id), 6))

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
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

module rights 'modules/ci.bicep' = {
  params: { pipelinePrincipalId: identity.properties.principalId }
}

output clientId string = identity.properties.clientId
