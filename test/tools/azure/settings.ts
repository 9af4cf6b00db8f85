import { describedSettings, readConfig } from "../../../shared/config.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import type { Check, Templates } from "./templates.ts";

// The settings that an environment's app would get are read as the app reads them.

/** Literal members of an object that a variable holds: name to text. */
const membersOf = (text: string) =>
  new Map(
    [...text.matchAll(/^ {2}(\w+): (.+)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value.replace(/^'(.*)'$/, "$1"),
    ]),
  );

/** Settings that Flex Consumption refuses or ignores: its `functionAppConfig` says the same. */
const refused = [
  "FUNCTIONS_WORKER_RUNTIME",
  "FUNCTIONS_EXTENSION_VERSION",
  "FUNCTIONS_WORKER_PROCESS_COUNT",
  "WEBSITE_RUN_FROM_PACKAGE",
  "WEBSITE_NODE_DEFAULT_VERSION",
  "WEBSITE_CONTENTAZUREFILECONNECTIONSTRING",
  "WEBSITE_CONTENTSHARE",
  "SCM_DO_BUILD_DURING_DEPLOYMENT",
  "ENABLE_ORYX_BUILD",
];

/** What the Functions host reads itself. */
const hosts =
  /^(AzureWebJobs(Storage__(accountName|credential|clientId)|SecretStorageType|SecretStorageKeyVault(Uri|ClientId)|DisableHomepage)|APPLICATIONINSIGHTS_(CONNECTION|AUTHENTICATION)_STRING)$/;

/** Values that a deployment would fill in, as the app accepts them. */
const examples: Readonly<Record<string, string>> = {
  TABLES_CONNECTION__endpoint: "https://stdata.table.core.windows.net/",
  SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: "sb-payments.servicebus.windows.net",
  KEY_PEPPERS: '{"k1":"a-pepper-of-an-example"}',
  CONSUMER_CREDENTIALS: "{}",
  TOKEN_CODE_KEYS: '{"k1":"a-key-of-an-example-with-32-chars"}',
  SMTP_URL: "smtps://mail.example",
};
const anIdentity = "00000000-0000-4000-8000-000000000000";

/** The settings that an environment's app would get. */
function settingsOf(templates: Templates, parameters: string): Map<string, string> {
  const { hostSettings, secretSettings, queues } = templates.platform;
  const [host, connections] = ["hostSettings", "connections"].map((name) =>
    membersOf(templates.declared("modules/functions.bicep", name)),
  );
  const own = [...templates.text(parameters).matchAll(/\b([A-Z][A-Z_]+): (?:'([^']*)'|readEnvironmentVariable)/g)];
  return new Map([
    ...Object.entries(hostSettings),
    ...(host ?? []),
    ...[...(connections ?? [])].map(([name, value]): [string, string] => [
      name,
      examples[name] ?? value.replace("identity.properties.clientId", anIdentity),
    ]),
    ...secretSettings.map(({ setting }): [string, string] => [setting, examples[setting] ?? ""]),
    ["MAX_DELIVERY_COUNT", String(queues[0]?.properties["maxDeliveryCount"])],
    ...own.map(([, name = "", value = "Shop <shop@mail.example>"]): [string, string] => [name, value]),
  ]);
}

export const settings: Check = {
  name: "the app starts with these settings",
  find: (templates) =>
    ["main.dev.bicepparam", "main.prod.bicepparam"].flatMap((parameters) => {
      const given = settingsOf(templates, parameters);
      const names = [...given.keys()];
      const app = Object.fromEntries([...given].filter(([name]) => !hosts.test(name)));
      try {
        const { timings, maxDeliveryCount } = readConfig(app);
        const locks = templates.platform.queues.map(({ properties }) =>
          Number(/^PT(\d+)S$/.exec(String(properties["lockDuration"]))?.[1]),
        );
        return [
          ...names
            .filter(
              (name) => !hosts.test(name) && !(name in describedSettings) && !(name in templates.platform.hostSettings),
            )
            .map((name) => `neither the app nor the host reads ${name}`),
          ...names.filter((name) => refused.includes(name)).map((name) => `Flex Consumption refuses ${name}`),
          ...Object.keys(standardTimings).filter((name) => !(name in timings)),
          ...locks
            .filter((seconds) => !(seconds + 5 < timings.acceptanceSeconds))
            .map((seconds) => `${parameters}: a lock of ${seconds} s outlasts the acceptance`),
          ...templates.platform.queues
            .filter(({ properties }) => properties["maxDeliveryCount"] !== maxDeliveryCount)
            .map(({ name }) => `${name} is buried before its last delivery calls an operator`),
        ];
      } catch (error) {
        return [`${parameters}: ${error instanceof Error ? error.message : String(error)}`];
      }
    }),
};
