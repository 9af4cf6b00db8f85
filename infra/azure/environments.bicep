// What both deployments of an environment need. The rest stands in its parameter file of main.bicep.

@export()
type shared = {
  environmentName: string
  privateNetwork: bool
  @description('Public addresses or ranges from which operators and pipelines reach vaults and tables through their firewalls.')
  operatorAddresses: string[]
}

@export()
var dev shared = {
  environmentName: 'dev'
  privateNetwork: false
  operatorAddresses: []
}

@export()
var prod shared = {
  environmentName: 'prod'
  privateNetwork: true
  operatorAddresses: []
}
