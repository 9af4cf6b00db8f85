// The rights of the pipeline that deploys: it may change every resource of the group, and assign the roles that the templates assign.

import { pipelineRoles, roles } from 'role-ids.bicep'

@description('The pipeline\'s identity.')
param pipelinePrincipalId string

var assignable = join(map(items(roles), role => role.value), ', ')
// Azure evaluates this condition whenever the pipeline makes or removes an assignment.
var rolesOfTheTemplates = '((!(ActionMatches{\'Microsoft.Authorization/roleAssignments/write\'})) OR (@Request[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${assignable}})) AND ((!(ActionMatches{\'Microsoft.Authorization/roleAssignments/delete\'})) OR (@Resource[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${assignable}}))'

resource pipelineResources 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(resourceGroup().id, pipelinePrincipalId, pipelineRoles.Contributor)
  scope: resourceGroup()
  properties: {
    principalId: pipelinePrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', pipelineRoles.Contributor)
  }
}

resource pipelineAssignments 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(resourceGroup().id, pipelinePrincipalId, pipelineRoles.RoleBasedAccessControlAdministrator)
  scope: resourceGroup()
  properties: {
    principalId: pipelinePrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', pipelineRoles.RoleBasedAccessControlAdministrator)
    condition: rolesOfTheTemplates
    conditionVersion: '2.0'
  }
}

// Neither role may write a lock, and no built-in role has only this right. The pipeline deploys the lock of the tables, and cannot remove
// it.
resource lockWriter 'Microsoft.Authorization/roleDefinitions@2022-04-01' = {
  name: guid(resourceGroup().id, 'lock writer')
  properties: {
    roleName: 'Lock writer of ${resourceGroup().name} (${take(uniqueString(resourceGroup().id), 6)})'
    description: 'Writes locks, and deletes none.'
    type: 'CustomRole'
    assignableScopes: [resourceGroup().id]
    permissions: [{ actions: ['Microsoft.Authorization/locks/read', 'Microsoft.Authorization/locks/write'] }]
  }
}

resource pipelineLocks 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(resourceGroup().id, pipelinePrincipalId, lockWriter.name)
  scope: resourceGroup()
  properties: {
    principalId: pipelinePrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: lockWriter.id
  }
}
