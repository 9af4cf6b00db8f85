import { readdirSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "../../../functions/endpoints.ts";
import { health } from "../../../functions/probes/health.ts";
import { workers } from "../../../functions/workers.ts";
import { keyGroups } from "../../../infra/azure/function-keys.ts";
import { generatedFiles } from "../../../infra/azure/platform.ts";
import { readDeclaration } from "../../../infra/local/gateway/gateway.ts";
import { withSlashes } from "../../support/rooms.ts";
import { declarationsOf, differing, lacking, type Check } from "./templates.ts";

// One truth: what the code names is what Azure is given, and nothing else.

const generated: Check = {
  name: "generated",
  find: async (templates) =>
    Object.entries(await generatedFiles(templates.root))
      .filter(([path, text]) => templates.beside(path) !== text)
      .map(([path]) => `${path} is not what the code gives`),
};

/** Where each list of the code becomes resources: file, declaration, and what stands in it. */
const loops: readonly (readonly [string, string, ...string[]])[] = [
  ["modules/storage.bicep", "table", "for name in platform.tables", "parent: data::tables", "name: name"],
  [
    "modules/service-bus.bicep",
    "queue",
    "for queue in platform.queues",
    "name: queue.name",
    "properties: queue.properties",
  ],
  ["modules/roles.bicep", "queue", "for one in platform.queues", "name: one.name"],
  ["modules/roles.bicep", "gatewayKey", "for one in platform.secretNamedValues", "parent: keysVault, name: one.secret"],
  ["modules/functions.bicep", "secrets", "platform.secretSettings"],
  ["modules/functions.bicep", "derived", "MAX_DELIVERY_COUNT: string(platform.queues[0].properties.maxDeliveryCount)"],
  [
    "modules/functions.bicep",
    "configuration",
    "platform.hostSettings",
    "connections",
    "secrets",
    "derived",
    "settings",
  ],
  ["modules/apim-gateway.bicep", "plainValues", "platform.limits", "perEnvironment"],
  ["modules/apim-gateway.bicep", "namedValue", "items(plainValues)"],
  ["modules/apim-gateway.bicep", "secretNamedValue", "for one in platform.secretNamedValues", "one.secret"],
  ["modules/apim-gateway.bicep", "fragment", "for one in fragments", "name: one.name", "value: one.xml"],
  ["modules/apim-gateway.bicep", "global", "value: globalPolicy"],
  ["modules/apim-gateway.bicep", "api", "for one in apis", "api: one"],
  ["modules/apim-api.bicep", "imported", "name: api.id", "path: api.path", "value: api.document"],
  ["modules/apim-api.bicep", "policy", "value: api.xml"],
  ["modules/apim-api.bicep", "operation", "for one in api.operations", "name: one.name"],
  ["modules/apim-api.bicep", "operationPolicy", "in api.operations", "parent: operation[at]", "value: one.xml"],
];

const everything: Check = {
  name: "every list becomes resources",
  find: (templates) => [
    ...loops.flatMap(([file, name, ...words]) => lacking(`${file} ${name}`, templates.declared(file, name), words)),
    ...templates.declarations
      .filter(
        ({ kind, name, text }) =>
          kind === "var" && name === "platform" && !text.includes("loadJsonContent('../generated/platform.json')"),
      )
      .map(({ file }) => `${file} has a platform of its own`),
  ],
};

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** The functions of an API, as API Management calls them: it takes the API's own path away, and the host adds no prefix. */
const coded = (api: string): Operation[] =>
  [...endpoints.map(({ contract }) => contract), { ...health, api: "probes" }]
    .filter((one) => one.api === api)
    .map(({ name, method, route }) => ({ name, method, path: `/${route}` }));

const spelled = ({ name, method, path }: Operation) => `${name} (${method} ${path})`;

/** Function, operation and policy have one name, one method and one path; a queue, its worker and its function another name. */
const functions: Check = {
  name: "function = route = operation = policy, worker = queue",
  async find(templates) {
    const { apis } = await readDeclaration(join(templates.root, "infra/apim"));
    const [, ...sections] = templates.text("generated/gateway.bicep").split(/^ {4}id: /m);
    const policiesOf = (api: string) =>
      [...(sections.find((text) => text.startsWith(`'${api}'`)) ?? "").matchAll(/\{ name: '([\w-]+)', xml/g)].map(
        ([, name = ""]) => name,
      );
    return [
      ...lacking("host.json", templates.beside("host.json"), ['"routePrefix": ""']),
      ...differing(
        "APIs and folders of functions",
        apis.map(({ id }) => id),
        ["consumer", "partners", "terminals", "probes"],
      ),
      ...apis.flatMap(({ id, operations }) => {
        const offered = operations.map(({ id: name, method, urlTemplate: path }) => ({ name, method, path }));
        return [
          ...differing(`functions and operations of ${id}`, coded(id).map(spelled), offered.map(spelled)),
          ...differing(
            `operations and policies of ${id}`,
            offered.map(({ name }) => name),
            policiesOf(id),
          ),
        ];
      }),
      ...differing(
        "workers and queues",
        workers.map(({ name }) => name),
        templates.platform.queues.map(({ name }) => name),
      ),
    ];
  },
};

const policyFiles: Check = {
  name: "every policy and document is loaded once",
  find(templates) {
    const loaded = [
      ...templates.text("generated/gateway.bicep").matchAll(/load(?:Text|Json)Content\('\.\.\/\.\.\/apim\/([^']+)'\)/g),
    ].map(([, path = ""]) => path);
    const there = readdirSync(join(templates.root, "infra/apim"), { recursive: true, encoding: "utf8" }).map(
      withSlashes,
    );
    const wanted = there.filter((file) => file.endsWith(".xml") || /^openapi\/.*\.json$/.test(file));
    return [
      ...differing("files of infra/apim and loaded files", wanted, loaded),
      ...loaded.filter((file, at) => loaded.indexOf(file) !== at).map((file) => `${file} is loaded twice`),
    ];
  },
};

const KIB = 1024;

const sizes: Check = {
  name: "fits the limits of Bicep and Azure",
  find(templates) {
    const sizeOf = (file: string) => templates.beside(`infra/apim/${file}`).length;
    const loads = [
      ...templates
        .text("generated/gateway.bicep")
        .matchAll(/(loadTextContent|loadJsonContent)\('\.\.\/\.\.\/apim\/([^']+)'\)/g),
    ];
    const [texts, documents] = ["loadTextContent", "loadJsonContent"].map((how) =>
      loads.filter((load) => load[1] === how).map(([, , file = ""]) => file),
    );
    const all = loads.reduce((sum, [, , file = ""]) => sum + sizeOf(file), 0);
    return [
      ...(texts ?? [])
        .filter((file) => sizeOf(file) > 128 * KIB)
        .map((file) => `${file} is longer than loadTextContent takes`),
      ...(documents ?? [])
        .filter((file) => sizeOf(file) > 1024 * KIB)
        .map((file) => `${file} is longer than loadJsonContent takes`),
      ...(all > 1024 * KIB
        ? [`the gateway's module is one resource of the deployment, which may have 1 MiB; its files have ${all}`]
        : []),
    ];
  },
};

const secretValues: Check = {
  name: "secret named values come from the vault",
  async find(templates) {
    const { namedValues } = await readDeclaration(join(templates.root, "infra/apim"));
    const secret = namedValues.filter((value) => value.secret).map(({ name }) => name);
    const sent = keyGroups.flatMap(({ namedValue }) => namedValue ?? []);
    const { secretNamedValues, limits } = templates.platform;
    const known = keyGroups.flatMap(({ secrets }) => secrets);
    const text = templates.declared("modules/apim-gateway.bicep", "secretNamedValue");
    return [
      ...differing("keys that the gateway sends and secret named values", sent, secret),
      ...differing(
        "secret named values and those of the vault",
        secret,
        secretNamedValues.map(({ name }) => name),
      ),
      ...secretNamedValues
        .filter((value) => !known.includes(value.secret ?? ""))
        .map(({ name }) => `${name} has no key of a function`),
      ...limits.filter(({ name }) => secret.includes(name)).map(({ name }) => `${name} stands in the template`),
      ...lacking("secretNamedValue", text, ["secret: true", "keyVault: { secretIdentifier:"]),
    ];
  },
};

const keysSent: Check = {
  name: "a policy sends the key of its own API alone",
  async find(templates) {
    const sent = (xml: string) => [...xml.matchAll(/\{\{([\w-]+-key)\}\}/g)].map(([, name]) => name);
    const { apis } = await readDeclaration(join(templates.root, "infra/apim"));
    return apis.flatMap(({ id, operations }) =>
      [`apis/${id}.xml`, ...operations.map((operation) => `policies/${operation.id}.xml`)].flatMap((file) =>
        sent(templates.beside(`infra/apim/${file}`))
          .filter((name) => name !== keyGroups.find(({ group }) => group === id)?.namedValue)
          .map((name) => `${file} sends ${name}`),
      ),
    );
  },
};

/** The longest name of each kind. The environment's name has up to 8 characters and the unique end 6. */
const longest: readonly (readonly [RegExp, number, RegExp])[] = [
  [/Vault$/, 24, /^[a-z][a-z0-9-]+$/],
  [/Storage$/, 24, /^[a-z0-9]+$/],
  [/^app$/, 32, /^[a-z0-9-]+$/],
  [/^(bus|gateway)$/, 50, /^[a-z][a-z0-9-]+$/],
];

const names: Check = {
  name: "names fit",
  find(templates) {
    const text = templates.text("modules/names.bicep");
    const made = declarationsOf("", text).find(({ kind }) => kind === "func")?.text ?? "";
    const filled = [...made.matchAll(/^ {2}(\w+): '([^']+)'$/gm)].map(
      ([, name = "", value = ""]) =>
        [name, value.replace("${environmentName}", "stagings").replace("${unique}", "abc123")] as const,
    );
    return [
      ...(filled.length > 10 ? [] : ["no names are found"]),
      ...filled.flatMap(([name, value]) =>
        longest
          .filter(([kind, most, form]) => kind.test(name) && !(value.length <= most && form.test(value)))
          .map(() => `${name} is ${value}`),
      ),
      ...["ci.bicep", "foundation.bicep", "main.bicep"].flatMap((file) =>
        lacking(file, templates.text(file), [
          "@maxLength(8)\nparam environmentName string",
          "namesOf(environmentName, take(uniqueString(resourceGroup().id), 6))",
        ]),
      ),
    ];
  },
};

export const checksOfNames: readonly Check[] = [
  generated,
  everything,
  functions,
  policyFiles,
  sizes,
  secretValues,
  keysSent,
  names,
];
