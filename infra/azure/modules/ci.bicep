// The rights of the pipeline that deploys: it may change every resource of the group, and assign the roles that the templates assign.

import { pipelineRoles, roles } from 'role-ids.bicep'

@description('The pipeline\'s identity.')
param pipelinePrincipalId string
@description('The identities and groups to which the templates give roles.')
param principalIds string[]

@description('Limits the assignments that one side of a request names: those of the templates, and its own role to read function keys.')
func isOfTheTemplates(side string, principals string, own string) string =>
  '(${side}[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${join(map(items(roles), role => role.value), ', ')}} AND ${side}[Microsoft.Authorization/roleAssignments:PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {\'ServicePrincipal\', \'Group\'} AND ${side}[Microsoft.Authorization/roleAssignments:PrincipalId] ForAnyOfAnyValues:GuidEquals {${principals}}) OR (${side}[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${roles.KeyVaultSecretsUser}} AND ${side}[Microsoft.Authorization/roleAssignments:PrincipalId] ForAnyOfAnyValues:GuidEquals {${own}})'

var principals = join(principalIds, ', ')
// Azure evaluates this condition whenever the pipeline makes or removes an assignment. Once a new group or identity gets a role, deploy this
// again.
var ofTheTemplates = '((!(ActionMatches{\'Microsoft.Authorization/roleAssignments/write\'})) OR ${isOfTheTemplates('@Request', principals, pipelinePrincipalId)}) AND ((!(ActionMatches{\'Microsoft.Authorization/roleAssignments/delete\'})) OR ${isOfTheTemplates('@Resource', principals, pipelinePrincipalId)})'

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
    condition: ofTheTemplates
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
