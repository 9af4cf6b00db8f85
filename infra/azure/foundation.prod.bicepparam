using 'foundation.bicep'

import { prod } from 'environments.bicep'

param environmentName = prod.environmentName
param privateNetwork = prod.privateNetwork
param operatorAddresses = prod.operatorAddresses
param dailyQuotaGb = 10
param purgeProtection = true
