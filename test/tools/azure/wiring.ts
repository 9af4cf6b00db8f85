import { readdirSync } from "node:fs";
import { join } from "node:path";
import { health } from "../../../functions/probes/health.ts";
import { workers } from "../../../functions/workers.ts";
import { keyGroups } from "../../../infra/azure/function-keys.ts";
import { generatedFiles } from "../../../infra/azure/platform.ts";
import { importedApis, urlTemplateIn } from "../../../infra/documents/openapi/imported-apis.ts";
import { readDeclaration } from "../../../packages/local-azure/gateway/gateway.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import { read } from "../../support/pages.ts";
import { root, withSlashes } from "../../support/rooms.ts";
import { differing, namesOf, resources, valueAt, type Rule } from "./rules.ts";

// Azure gets exactly the names that the code has.

const gateway = join(root, "infra/azure/apim");
const { apis, namedValues } = await readDeclaration(gateway);
const platform = JSON.parse((await generatedFiles())["infra/azure/generated/platform.json"] ?? "") as {
  queues: { name: string; properties: unknown }[];
  limits: { name: string; value: string }[];
};

const tables: Rule = {
  name: "the tables are those of the code",
  find: (snapshot) =>
    differing(
      "tables of code and Azure",
      Object.values(tableNames),
      namesOf(snapshot, "Storage/storageAccounts/tableServices/tables"),
    ),
  breakIt: ({ snapshot }) =>
    Object.assign(resources(snapshot, "Storage/storageAccounts/tableServices/tables")[0] ?? {}, { name: "a/b/Other" }),
};

const queues: Rule = {
  name: "each worker has its queue, with the properties of infra/azure/service-bus",
  find: (snapshot) => [
    ...differing(
      "workers and queues",
      workers.map(({ name }) => name),
      namesOf(snapshot, "ServiceBus/namespaces/queues"),
    ),
    ...resources(snapshot, "ServiceBus/namespaces/queues")
      .filter(({ name, properties }) => {
        const own = platform.queues.find((queue) => name.endsWith(`/${queue.name}`));
        return JSON.stringify(own?.properties) !== JSON.stringify(properties);
      })
      .map(({ name }) => `${name} has other properties`),
  ],
  breakIt: (copy) => copy.set("ServiceBus/namespaces/queues", "maxDeliveryCount", 10),
};

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** The functions of an API of API Management, with the paths that callers use below it. */
const coded = (id: string): Operation[] =>
  id === "probes"
    ? [{ name: health.name, method: health.method, path: `/${health.route}` }]
    : importedApis
        .filter((one) => one.id === id)
        .flatMap((one) =>
          one.contracts.map((contract) => ({
            name: contract.name,
            method: contract.method,
            path: urlTemplateIn(one, contract),
          })),
        );

const spelled = ({ name, method, path }: Operation) => `${name} (${method} ${path})`;

const operations: Rule = {
  name: "each function is an operation with its own policy, and nothing else is",
  find: (snapshot) => [
    ...differing(
      "APIs",
      apis.map(({ id, path }) => `${id} at /${path}`),
      [...importedApis, { id: "probes", path: "probes" }].map(({ id, path }) => `${id} at /${path}`),
    ),
    ...apis.flatMap(({ id, operations: offered }) =>
      differing(
        `functions and operations of ${id}`,
        coded(id).map(spelled),
        offered.map(({ id: name, method, urlTemplate: path }) => spelled({ name, method, path })),
      ),
    ),
    ...differing(
      "operations and their policies",
      apis.flatMap(({ id, operations: offered }) =>
        offered.map((one) => `${id}/${one.id}: infra/azure/apim/policies/${one.id}.xml`),
      ),
      resources(snapshot, "ApiManagement/service/apis/operations/policies").map(
        ({ name, properties }) => `${name.split("/").slice(1, 3).join("/")}: ${String(properties?.["value"])}`,
      ),
    ),
  ],
  breakIt: (copy) =>
    copy.set(
      "ApiManagement/service/apis/operations/policies",
      "value",
      "infra/azure/apim/policies/raise-action-request.xml",
      "/report/",
    ),
};

const policies: Rule = {
  name: "each policy and document of infra/azure/apim is deployed once",
  find(snapshot) {
    const deployed = [...JSON.stringify(snapshot).matchAll(/"(infra\/azure\/apim\/[^"]+)"/g)].map(
      ([, path = ""]) => path,
    );
    const wanted = readdirSync(gateway, { recursive: true, encoding: "utf8" })
      .map(withSlashes)
      .filter((file) => !file.startsWith("fronts/")) // deployed only behind a front: snapshots/prod-premium.json
      .filter((file) => /\.xml$|^openapi\/.*\.json$/.test(file))
      .map((file) => `infra/azure/apim/${file}`);
    return [
      ...differing("files of infra/azure/apim and what is deployed", wanted, deployed),
      ...deployed.filter((file, at) => deployed.indexOf(file) !== at).map((file) => `${file} is deployed twice`),
    ];
  },
  breakIt: (copy) => copy.set("ApiManagement/service/policyFragments", "value", "<fragment />"),
};

const keys: Rule = {
  name: "secret named values come from the vault, and each API sends its own key alone",
  find(snapshot) {
    const isSecret = ({ properties }: { readonly properties?: object }) => valueAt(properties, "secret") === true;
    const secrets = resources(snapshot, "ApiManagement/service/namedValues").filter(isSecret);
    const named = secrets.map(({ name }) => name.split("/").at(-1) ?? "");
    return [
      ...differing(
        "keys that the gateway sends and secret named values",
        keyGroups.flatMap(({ namedValue }) => namedValue ?? []),
        named,
      ),
      ...differing(
        "secret values of apis.json and Azure",
        namedValues.filter(({ secret }) => secret).map(({ name }) => name),
        named,
      ),
      ...secrets
        .filter(({ properties }) => valueAt(properties, "keyVault.secretIdentifier") === undefined)
        .map(({ name }) => `${name} is not of the vault`),
      ...apis.flatMap(({ id, operations: offered }) =>
        [`apis/${id}.xml`, ...offered.map((operation) => `policies/${operation.id}.xml`)].flatMap((file) =>
          [...read(`infra/azure/apim/${file}`).matchAll(/\{\{([\w-]+-key)\}\}/g)]
            .map(([, name = ""]) => name)
            .filter((name) => name !== keyGroups.find(({ group }) => group === id)?.namedValue)
            .map((name) => `${file} sends ${name}`),
        ),
      ),
    ];
  },
  breakIt: (copy) => copy.set("ApiManagement/service/namedValues", "secret", false, "terminals-functions-key"),
};

const limits: Rule = {
  name: "the gateway's limits are those of production",
  find: (snapshot) =>
    platform.limits.flatMap(({ name, value }) => {
      const [deployed] = resources(snapshot, "ApiManagement/service/namedValues").filter((one) =>
        one.name.endsWith(`/${name}`),
      );
      return valueAt(deployed?.properties, "value") === value ? [] : [`${name} is not ${value}`];
    }),
  breakIt: (copy) => copy.set("ApiManagement/service/namedValues", "value", "9", "partner-calls-per-minute"),
};

/** The longest name of each kind. The environment's name has up to 8 characters. */
const longest: Readonly<Record<string, readonly [number, RegExp]>> = {
  "KeyVault/vaults": [24, /^[a-z][a-z0-9-]+$/],
  "Storage/storageAccounts": [24, /^[a-z0-9]+$/],
  "Web/sites": [32, /^[a-z0-9-]+$/],
  "ServiceBus/namespaces": [50, /^[a-z][a-z0-9-]+$/],
  "ApiManagement/service": [50, /^[a-z][a-z0-9-]+$/],
};

const names: Rule = {
  name: "names fit, also with the longest name of an environment",
  find: (snapshot, environment) =>
    Object.entries(longest).flatMap(([type, [most, form]]) =>
      resources(snapshot, type)
        .filter(({ name }) => name.length + 8 - environment.length > most || !form.test(name))
        .map(({ name }) => `${name} is too long or has another form`),
    ),
  breakIt: ({ snapshot }) =>
    Object.assign(resources(snapshot, "KeyVault/vaults")[0] ?? {}, { name: "kv-payments-prod-abcdef" }),
};

export const rulesOfWiring: readonly Rule[] = [tables, queues, operations, policies, keys, limits, names];
