import { describedSettings, readConfig } from "../../../shared/edge/settings/config.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { resources, valueAt, type Rule } from "./rules.ts";

// The settings that an environment's app would get are read as the app reads them.

/** Settings that Flex Consumption refuses or ignores, because its `functionAppConfig` contains the same. */
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

/** Settings that the Functions host reads itself. */
const hosts =
  /^(AzureWebJobs(Storage__(accountName|credential|clientId)|SecretStorageType|SecretStorageKeyVault(Uri|ClientId)|DisableHomepage)|APPLICATIONINSIGHTS_(CONNECTION|AUTHENTICATION)_STRING|FUNCTIONS_REQUEST_BODY_SIZE_LIMIT)$/;

/** Values that only a deployment knows, in a form that the app accepts. */
const examples: Readonly<Record<string, string>> = {
  TABLES_CONNECTION__endpoint: "https://stdata.table.core.windows.net/",
  TABLES_CONNECTION__clientId: "00000000-0000-4000-8000-000000000000",
  SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: "sb-payments.servicebus.windows.net",
  SERVICE_BUS_CONNECTION__clientId: "00000000-0000-4000-8000-000000000000",
  KEY_PEPPERS: '{"k1":"a-pepper-of-an-example-with-32-chars"}',
  WEBHOOK_SECRET_KEYS: '{"k1":"a-key-of-an-example-with-32-chars"}',
  CONSUMER_CREDENTIALS: "{}",
  TOKEN_CODE_KEYS: '{"k1":"a-key-of-an-example-with-32-chars"}',
  SMTP_URL: "smtps://mail.example",
};

export const appSettings: Rule = {
  name: "the app starts with its settings, and its secrets stand in the vault",
  find(snapshot) {
    const [config] = resources(snapshot, "Web/sites/config");
    const given = Object.entries((config?.properties ?? {}) as Record<string, string>);
    const own = given.filter(([name]) => !hosts.test(name));
    const isExpression = (value: string) => value.startsWith("[");
    const app = own.map(([name, value]) => [name, isExpression(value) ? (examples[name] ?? value) : value] as const);
    const secrets = Object.entries(describedSettings).filter(([, schema]) => schema.meta()?.["secret"] === true);
    try {
      const { timings, maxDeliveryCount } = readConfig(Object.fromEntries(app));
      const queues = resources(snapshot, "ServiceBus/namespaces/queues").map(({ properties }) => properties);
      return [
        ...own.filter(([name]) => !(name in describedSettings)).map(([name]) => `the app does not read ${name}`),
        ...given.filter(([name]) => refused.includes(name)).map(([name]) => `Flex Consumption refuses ${name}`),
        ...secrets
          .filter(([name]) => given.some(([one, value]) => one === name && !value.includes("@Microsoft.KeyVault(")))
          .map(([name]) => `${name} stands in the settings`),
        ...Object.keys(standardTimings).filter((name) => !(name in timings)),
        ...queues
          .map((properties) => Number(/^PT(\d+)S$/.exec(String(valueAt(properties, "lockDuration")))?.[1]))
          .filter((seconds) => !(seconds + 5 < timings.acceptanceSeconds))
          .map((seconds) => `a lock of ${seconds} s outlasts the acceptance`),
        ...queues
          .filter((properties) => valueAt(properties, "maxDeliveryCount") !== maxDeliveryCount)
          .map(() => "a message is buried before its last delivery calls an operator"),
      ];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  },
  breakIt: (copy) => copy.set("Web/sites/config", "KEY_PEPPERS", '{"k1":"a-pepper-in-the-open"}'),
};
