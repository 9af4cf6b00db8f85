import { resources, unlike, valueAt, type Rule } from "./rules.ts";

// The rules of access, and of the failures that a production environment survives.

const noKeys: Rule = {
  name: "no key of an account opens anything",
  find: (snapshot) => [
    ...unlike(snapshot, "Storage/storageAccounts", {
      allowSharedKeyAccess: false,
      allowBlobPublicAccess: false,
      defaultToOAuthAuthentication: true,
    }),
    ...unlike(snapshot, "ServiceBus/namespaces", { disableLocalAuth: true }),
    ...unlike(snapshot, "OperationalInsights/workspaces", { "features.disableLocalAuth": true }),
    ...unlike(snapshot, "Insights/components", { DisableLocalAuth: true }),
    ...unlike(snapshot, "KeyVault/vaults", { enableRbacAuthorization: true, accessPolicies: undefined }),
    ...unlike(snapshot, "Web/sites/basicPublishingCredentialsPolicies", { allow: false }),
    ...unlike(snapshot, "Web/sites", {
      "functionAppConfig.deployment.storage.authentication.type": "UserAssignedIdentity",
    }),
    ...unlike(snapshot, "Web/sites/config", {
      AzureWebJobsStorage__credential: "managedidentity",
      AzureWebJobsSecretStorageType: "keyvault",
      AzureWebJobsDisableHomepage: "true",
    }),
    ...resources(snapshot, "Web/sites")
      .filter(({ properties }) => !String(valueAt(properties, "keyVaultReferenceIdentity")).includes("/id-payments-"))
      .map(({ name }) => `${name} reads its secrets by another identity`),
    ...(JSON.stringify(snapshot).match(
      /\blist(?:Keys|Account|Service|Secrets|Credentials)\w*\(|AccountKey=|SharedAccessKey/g,
    ) ?? []),
  ],
  breakIt: (copy) => copy.set("Storage/storageAccounts", "allowSharedKeyAccess", true, "stdata"),
};

const tls: Rule = {
  name: "TLS 1.2 at the least",
  find: (snapshot) => [
    ...unlike(snapshot, "Storage/storageAccounts", { minimumTlsVersion: "TLS1_2", supportsHttpsTrafficOnly: true }),
    ...unlike(snapshot, "ServiceBus/namespaces", { minimumTlsVersion: "1.2" }),
    ...unlike(snapshot, "Web/sites", { "siteConfig.minTlsVersion": "1.2", httpsOnly: true }),
    ...unlike(snapshot, "ApiManagement/service/apis", { protocols: ["https"] }),
  ],
  breakIt: (copy) => copy.set("Web/sites", "siteConfig.minTlsVersion", "1.0"),
};

const nothingOfTheCall = { headers: [], body: { bytes: 0 } };

const logs: Rule = {
  name: "logs of the gateway hold no header, no body and no address",
  find: (snapshot) =>
    unlike(snapshot, "ApiManagement/service/apis/diagnostics", {
      frontend: { request: nothingOfTheCall, response: nothingOfTheCall },
      backend: { request: nothingOfTheCall, response: nothingOfTheCall },
      logClientIp: false,
      alwaysLog: "allErrors",
    }),
  breakIt: (copy) => copy.set("ApiManagement/service/apis/diagnostics", "logClientIp", true),
};

/** Members of `siteConfig` that Flex Consumption refuses. */
const refused = [
  "ftpsState",
  "use32BitWorkerProcess",
  "preWarmedInstanceCount",
  "netFrameworkVersion",
  "functionsRuntimeScaleMonitoringEnabled",
  "linuxFxVersion",
  "alwaysOn",
];

const plan: Rule = {
  name: "Flex Consumption takes the app as it is declared",
  find: (snapshot) => [
    ...resources(snapshot, "Web/serverfarms")
      .filter(({ sku, properties }) => valueAt(sku, "tier") !== "FlexConsumption" || properties?.["reserved"] !== true)
      .map(({ name }) => `${name} is another plan`),
    ...unlike(snapshot, "Web/sites", {
      "functionAppConfig.runtime": { name: "node", version: "24" },
      "functionAppConfig.siteUpdateStrategy": { type: "Recreate" },
      "functionAppConfig.scaleAndConcurrency.instanceMemoryMB": 2048,
      "functionAppConfig.scaleAndConcurrency.triggers": { http: { perInstanceConcurrency: 200 } },
      ...Object.fromEntries(refused.map((name) => [`siteConfig.${name}`, undefined])),
    }),
    ...resources(snapshot, "Web/sites")
      .filter(({ tags }) => valueAt(tags, "azd-service-name") !== "functions")
      .map(({ name }) => `azd does not find ${name}`),
  ],
  breakIt: (copy) => copy.set("Web/sites", "functionAppConfig.siteUpdateStrategy", { type: "RollingUpdate" }),
};

const production: Rule = {
  name: "production survives a zone, and shows its gateway alone",
  find: (snapshot, environment) => {
    if (environment !== "prod") return [];
    const ready = resources(snapshot, "Web/sites").flatMap(
      ({ properties }) =>
        valueAt(properties, "functionAppConfig.scaleAndConcurrency.alwaysReady") as {
          name: string;
          instanceCount: number;
        }[],
    );
    const skuOf = (part: string) =>
      resources(snapshot, "Storage/storageAccounts").find(({ name }) => name.startsWith(part))?.["sku"];
    return [
      ...unlike(snapshot, "Storage/storageAccounts", { publicNetworkAccess: "Disabled" }).filter(
        (sentence) => !sentence.includes("sthost"),
      ),
      ...unlike(snapshot, "KeyVault/vaults", { publicNetworkAccess: "Disabled", enablePurgeProtection: true }),
      ...unlike(snapshot, "Web/sites", { "siteConfig.ipSecurityRestrictionsDefaultAction": "Deny" }),
      ...unlike(snapshot, "Web/serverfarms", { zoneRedundant: true }),
      ...resources(snapshot, "ApiManagement/service")
        .filter(({ sku }) => valueAt(sku, "name") !== "StandardV2")
        .map(({ name }) => `${name} cannot be in a network`),
      ...unlike(snapshot, "ApiManagement/service", { developerPortalStatus: "Disabled" }),
      ...(JSON.stringify(skuOf("stdata")) === '{"name":"Standard_GZRS"}'
        ? []
        : ["the tables have copies in one region alone"]),
      ...(JSON.stringify(skuOf("sthost")) === '{"name":"Standard_ZRS"}'
        ? []
        : ["the host's blobs are in one zone alone"]),
      ...(resources(snapshot, "Authorization/locks").length === 2 ? [] : ["tables or exports have no lock"]),
      ...["http", "function:terminal-messages", "function:deadlines"]
        .filter((name) => !ready.some((one) => one.name === name && one.instanceCount >= 2))
        .map((name) => `${name} starts cold, or is in one zone alone`),
    ];
  },
  breakIt: (copy) => copy.set("KeyVault/vaults", "enablePurgeProtection", null, "kv-keys"),
};

const exports: Rule = {
  name: "nothing changes or deletes an export before its days are over",
  find: (snapshot) =>
    resources(snapshot, "Storage/storageAccounts")
      .filter(({ name }) => name.startsWith("stexports"))
      .flatMap(({ name, properties }) => {
        const policy = valueAt(properties, "immutableStorageWithVersioning.immutabilityPolicy");
        const days = Number(valueAt(policy, "immutabilityPeriodSinceCreationInDays"));
        const [removed] = resources(snapshot, "Storage/storageAccounts/managementPolicies").flatMap(
          ({ properties: { policy: rules } = {} }) =>
            /daysAfterCreationGreaterThan\D+(\d+)/.exec(JSON.stringify(rules))?.[1] ?? [],
        );
        return [
          ...(valueAt(properties, "immutableStorageWithVersioning.enabled") === true ? [] : [`${name} can be changed`]),
          ...(valueAt(policy, "allowProtectedAppendWrites") === false ? [] : [`${name} takes appends`]),
          ...(days > 0 && days < Number(removed) ? [] : [`${name} keeps ${days} days and removes after ${removed}`]),
        ];
      }),
  breakIt: (copy) =>
    copy.set(
      "Storage/storageAccounts",
      "immutableStorageWithVersioning.immutabilityPolicy.immutabilityPeriodSinceCreationInDays",
      400,
      "stexports",
    ),
};

export const rulesOfSafety: readonly Rule[] = [noKeys, tls, logs, plan, production, exports];
