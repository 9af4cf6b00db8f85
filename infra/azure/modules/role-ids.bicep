// The identifiers of Azure's built-in roles. They are the same everywhere.

@description('What the templates of a deployment assign. A pipeline may assign these and no other.')
@export()
var roles = {
  StorageBlobDataOwner: 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
  StorageBlobDataContributor: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'
  StorageBlobDataReader: '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1'
  StorageTableDataContributor: '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3'
  StorageTableDataReader: '76199698-9eea-4c19-bc75-cec21354c6b6'
  AzureServiceBusDataOwner: '090c5cfd-751d-490a-894a-3ce6f1109419'
  AzureServiceBusDataReceiver: '4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0'
  AzureServiceBusDataSender: '69a216fc-b8fb-44d8-bc22-1f3c2cd27a39'
  KeyVaultSecretsUser: '4633458b-17de-408a-b874-0445c86b69e6'
  KeyVaultSecretsOfficer: 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7'
  MonitoringMetricsPublisher: '3913510d-42f4-4e42-8a64-420c390055eb'
  ApiManagementServiceContributor: '312a565d-c81f-4fd8-895a-4e21e48d571c'
  LogAnalyticsReader: '73c42c96-874c-492b-b04d-ab87d138a893'
  CommunicationAndEmailServiceOwner: '09976791-48a7-449e-bb21-39d1a415f350'
}

@description('What the pipeline itself is given, which it cannot assign.')
@export()
var pipelineRoles = {
  Contributor: 'b24988ac-6180-42a0-ab88-20f7382dd24c'
  RoleBasedAccessControlAdministrator: 'f58310d9-a9f6-439a-9e8d-f62e7b41a168'
}
