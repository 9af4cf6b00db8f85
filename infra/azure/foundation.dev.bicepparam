using 'foundation.bicep'

import { dev } from 'environments.bicep'

param environmentName = dev.environmentName
param privateNetwork = dev.privateNetwork
param operatorAddresses = dev.operatorAddresses
param dailyQuotaGb = 1
param purgeProtection = false // an environment for trying is thrown away
