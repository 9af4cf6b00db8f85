// The private zones, by the group of the private endpoints whose names they contain.

@export()
var zones = {
  #disable-next-line no-hardcoded-env-urls // the zones of vaults and sites have no counterpart in environment() either: this is for the public cloud
  table: 'privatelink.table.core.windows.net'
  #disable-next-line no-hardcoded-env-urls // as of the zone before: for the public cloud alone
  blob: 'privatelink.blob.core.windows.net'
  vault: 'privatelink.vaultcore.azure.net'
  sites: 'privatelink.azurewebsites.net'
  namespace: 'privatelink.servicebus.windows.net'
  Gateway: 'privatelink.azure-api.net'
}
