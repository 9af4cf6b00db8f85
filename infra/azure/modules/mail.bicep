// Azure's mail service, for an environment that sends its mails by it. Any other server can be used, because the app only knows its
// SMTP_URL.

import { roles } from 'role-ids.bicep'

param emailName string
param deliveryName string
@description('The domain of the sender. Its DNS entries are made by hand; until Azure has verified them no mail leaves.')
param domain string
@description('Whether Azure has verified the domain. One that is not verified cannot be linked.')
param isVerified bool
@description('The client identifier of the application whose secret is the password in SMTP_URL. Empty: there is none yet.')
param smtpApplicationId string
@description('The object identifier of that application in this tenant (of its service principal). Empty: there is none yet.')
param smtpPrincipalId string
@description('Where mails are kept.')
param dataLocation string
param tags object

resource email 'Microsoft.Communication/emailServices@2025-09-01' = {
  name: emailName
  location: 'global'
  tags: tags
  properties: { dataLocation: dataLocation }

  resource senders 'domains' = {
    name: domain
    location: 'global'
    tags: tags
    properties: { domainManagement: 'CustomerManaged', userEngagementTracking: 'Disabled' }
  }
}

resource sender 'Microsoft.Communication/emailServices/domains/senderUsernames@2025-09-01' = if (isVerified) {
  parent: email::senders
  name: 'vouchers'
  properties: { username: 'vouchers' }
}

resource delivery 'Microsoft.Communication/communicationServices@2025-09-01' = {
  name: deliveryName
  location: 'global'
  tags: tags
  properties: {
    dataLocation: dataLocation
    linkedDomains: isVerified ? [email::senders.id] : []
  }
}

resource smtp 'Microsoft.Communication/communicationServices/smtpUsernames@2025-09-01' = if (!empty(smtpApplicationId)) {
  parent: delivery
  name: 'payments'
  properties: { username: 'payments', entraApplicationId: smtpApplicationId, tenantId: tenant().tenantId }
}

resource smtpRole 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(smtpPrincipalId)) {
  name: guid(delivery.id, smtpPrincipalId, roles.CommunicationAndEmailServiceOwner)
  scope: delivery
  properties: {
    principalId: smtpPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.CommunicationAndEmailServiceOwner)
  }
}
