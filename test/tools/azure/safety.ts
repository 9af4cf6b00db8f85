import { declarationsOf, lacking, type Check, type Templates } from "./templates.ts";

// Who may do what, and in which order: no key, no old TLS, roles before what works by them.

/** Each file with the words that must stand in its declaration. */
const declares = (templates: Templates, wanted: readonly (readonly [string, string, ...string[]])[]): string[] =>
  wanted.flatMap(([file, name, ...words]) => lacking(`${file} ${name}`, templates.declared(file, name), words));

const noKeys: Check = {
  name: "no key opens anything",
  find: (templates) => [
    ...declares(templates, [
      [
        "modules/storage.bicep",
        "properties",
        "allowSharedKeyAccess: false",
        "allowBlobPublicAccess: false",
        "defaultToOAuthAuthentication: true",
      ],
      ["modules/storage.bicep", "host", "...properties"],
      ["modules/storage.bicep", "data", "...properties"],
      ["modules/backup.bicep", "account", "...properties"],
      ["modules/service-bus.bicep", "bus", "disableLocalAuth: true"],
      ["modules/monitoring.bicep", "workspace", "disableLocalAuth: true"],
      ["modules/monitoring.bicep", "component", "DisableLocalAuth: true"],
      ["modules/vault.bicep", "vault", "enableRbacAuthorization: true", "enablePurgeProtection: true"],
      ["modules/functions.bicep", "scm", "name: 'scm'", "allow: false"],
      ["modules/functions.bicep", "ftp", "name: 'ftp'", "allow: false"],
      [
        "modules/functions.bicep",
        "hostSettings",
        "AzureWebJobsStorage__credential: 'managedidentity'",
        "AzureWebJobsSecretStorageType: 'keyvault'",
      ],
      ["modules/functions.bicep", "app", "type: 'UserAssignedIdentity'", "keyVaultReferenceIdentity: identity.id"],
    ]),
    ...[...templates.files].flatMap(([file, text]) =>
      [
        ...text.matchAll(
          /\blist(?:Keys|AccountSas|ServiceSas|Secrets|Credentials)?\(|AccountKey=|SharedAccessKey|\bnewGuid\(|accessPolicies/g,
        ),
      ].map(([words]) => `${file} has ${words}`),
    ),
  ],
};

const tls: Check = {
  name: "TLS 1.2 at the least",
  find: (templates) => [
    ...declares(templates, [
      ["modules/storage.bicep", "properties", "minimumTlsVersion: 'TLS1_2'", "supportsHttpsTrafficOnly: true"],
      ["modules/service-bus.bicep", "bus", "minimumTlsVersion: '1.2'"],
      ["modules/functions.bicep", "app", "minTlsVersion: '1.2'", "httpsOnly: true"],
      ["modules/apim-api.bicep", "imported", "protocols: ['https']"],
    ]),
  ],
};

const order: Check = {
  name: "roles first, then named values, fragments, policies",
  find: (templates) => [
    ...declares(templates, [
      ["main.bicep", "roles", "gatewayService.outputs.principalId", "dependsOn: [storage, bus]"],
      ["main.bicep", "functions", "dependsOn: [roles]"],
      ["main.bicep", "gateway", "dependsOn: [roles]", "functions.outputs.url"],
      ["modules/apim-gateway.bicep", "fragment", "dependsOn: [namedValue, secretNamedValue]"],
      ["modules/apim-gateway.bicep", "global", "dependsOn: [fragment]"],
      ["modules/apim-gateway.bicep", "api", "dependsOn: [global]"],
      ["modules/apim-gateway.bicep", "partners", "dependsOn: [api]"],
      ["modules/apim-api.bicep", "policy", "parent: imported"],
      ["modules/apim-api.bicep", "operation", "parent: imported"],
    ]),
    ...["modules/apim-gateway.bicep", "modules/apim-api.bicep"].flatMap((file) =>
      /@batchSize\(1\)\n(?:module api|resource operationPolicy) /.test(templates.text(file))
        ? []
        : [`${file} changes APIs at once`],
    ),
  ],
};

const nothingOfTheCall: Check = {
  name: "logs hold no header and no body",
  find: (templates) =>
    declares(templates, [
      ["modules/apim-api.bicep", "nothingOfTheCall", "{ headers: [], body: { bytes: 0 } }"],
      [
        "modules/apim-api.bicep",
        "diagnostics",
        "frontend: { request: nothingOfTheCall, response: nothingOfTheCall }",
        "backend: { request: nothingOfTheCall, response: nothingOfTheCall }",
        "logClientIp: false",
        "alwaysLog: 'allErrors'",
      ],
    ]),
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

const flex: Check = {
  name: "the plan takes the app as it is declared",
  find: (templates) => [
    ...declares(templates, [
      ["modules/functions.bicep", "plan", "name: 'FC1', tier: 'FlexConsumption'", "reserved: true"],
      [
        "modules/functions.bicep",
        "app",
        "kind: 'functionapp,linux'",
        "runtime: { name: 'node', version: nodeVersion }",
        "instanceMemoryMB: 2048",
        "http: { perInstanceConcurrency: 200 }",
        "siteUpdateStrategy: { type: updateStrategy }",
        "'azd-service-name': 'functions'",
      ],
      ["modules/functions.bicep", "hostSettings", "AzureWebJobsDisableHomepage: 'true'"],
    ]),
    ...refused
      .filter((name) => templates.text("modules/functions.bicep").includes(`${name}:`))
      .map((name) => `Flex Consumption refuses ${name}`),
  ],
};

const environments: Check = {
  name: "production survives a zone, and shows its gateway alone",
  find(templates) {
    const [shared, prod, dev] = ["environments.bicep", "main.prod.bicepparam", "main.dev.bicepparam"].map((file) =>
      templates.text(file),
    ) as [string, string, string];
    const ready = [...prod.matchAll(/\{ name: '([\w:-]+)', instanceCount: (\d+) \}/g)].map(([, name = "", count]) => ({
      name,
      count: Number(count),
    }));
    return [
      ...lacking("prod", declarationsOf("", shared).find(({ name }) => name === "prod")?.text ?? "", [
        "privateNetwork: true",
      ]),
      ...lacking("main.prod.bicepparam", prod, [
        "dataRedundancy = 'Standard_GZRS'",
        "lockData = true",
        "zoneRedundant = true",
        "gatewaySku = 'StandardV2'",
        "{ standard: 5, terminals: 1 }",
      ]),
      ...lacking("main.dev.bicepparam", dev, ["gatewaySku = 'BasicV2'"]),
      ...["http", "function:terminal-messages", "function:deadlines"]
        .filter((name) => !ready.some((one) => one.name === name))
        .map((name) => `${name} starts cold in production`),
      ...ready.filter(({ count }) => count < 2).map(({ name }) => `${name} is in one zone alone`),
      ...(/readEnvironmentVariable\('[A-Z_]+', /.test(prod)
        ? ["production begins with a value that stands in for one that was not given"]
        : []),
    ];
  },
};

const suppressions: Check = {
  name: "a suppression has its reason beside it",
  find: (templates) =>
    [...templates.files].flatMap(([file, text]) =>
      text
        .split("\n")
        .filter((line) => /#disable-|#restore-/.test(line) && !/#disable-next-line [\w-]+ \/\/ \S.{19,}/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    ),
};

const namesIn = (text: string, declaration: RegExp): string[] =>
  [...text.matchAll(declaration)].map(([, name = ""]) => name);

/**
 * The compiler takes the nearest declaration of a name, whatever was meant: a resource for one of Bicep's functions, and in the body of a
 * resource one that stands inside of it for another one outside.
 */
const hidden: Check = {
  name: "no name hides another one",
  find: (templates) =>
    [...templates.files].flatMap(([file, text]) => {
      const outer = namesIn(text, /^(?:param|var|resource|module|type) (\w+)/gm);
      const inner = namesIn(text, /^ +resource (\w+) /gm);
      return [
        ...[...outer, ...inner]
          .filter((name) => new RegExp(String.raw`(?<![\w.])${name}\(`).test(text))
          .map((name) => `${file} calls ${name}, and declares another thing of that name`),
        ...inner.filter((name) => outer.includes(name)).map((name) => `${file} has ${name} in a resource and outside`),
      ];
    }),
};

export const checksOfSafety: readonly Check[] = [
  noKeys,
  tls,
  order,
  nothingOfTheCall,
  flex,
  environments,
  suppressions,
  hidden,
];
