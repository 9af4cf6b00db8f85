import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { workers } from "../../functions/workers.ts";
import { BODY_LIMIT, describedSettings } from "../../shared/edge/settings/config.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import { secretName } from "../operator/admin/rotating-setting.ts";
import { declaredGateway, productionValues } from "./declared-gateway.ts";
import { keyGroups } from "./function-keys.ts";
import { newScript, runScript } from "../tools/script.ts";
import { gatewayBicep } from "./gateway-bicep.ts";
import { typesBicep } from "./types-bicep.ts";

// `npm run azure:generate` writes the values of the code that the templates need, so that nothing is listed twice. A test compares them.

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The settings whose value is a connection string on this machine, and an address with an identity in Azure. */
const CONNECTIONS = ["TABLES_CONNECTION", "SERVICE_BUS_CONNECTION"];
const isOfConnection = (name: string) => CONNECTIONS.some((connection) => name.startsWith(connection));

const settingMeta = z.object({ secret: z.boolean().optional() });

/** The app's settings without its connections. Secrets are read from Key Vault. The others have their values in environments.bicep. */
const settings = Object.entries(describedSettings)
  .filter(([name]) => !isOfConnection(name))
  .map(([name, schema]) => ({
    name,
    isSecret: settingMeta.parse(schema.meta()).secret ?? false,
    isRequired: !schema.safeParse(undefined).success,
  }));

const properties = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const queuesFile = z.object({
  UserConfig: z.object({
    Namespaces: z.tuple([z.object({ Queues: z.array(z.object({ Name: z.string(), Properties: properties })) })]),
  }),
});

const camelCase = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1);

/** The queues in the resource provider's format. The emulator's file names the same properties in Pascal case. */
function queues(root: string) {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, "infra/azure/service-bus", file), "utf8"));
  const [{ Queues }] = queuesFile.parse(read("queues.json")).UserConfig.Namespaces;
  const overrides = properties.parse(read("overrides.json"));
  return Queues.map(({ Name, Properties }) => ({
    name: Name,
    properties: Object.fromEntries(
      Object.entries({ ...Properties, ...overrides }).map(([name, value]) => [camelCase(name), value]),
    ),
  }));
}

/** The content of `platform.json`. */
async function platform(root: string, directory: string) {
  const { namedValues } = await declaredGateway(directory);
  const limits = await productionValues(directory);
  return {
    tables: Object.values(tableNames),
    queues: queues(root),
    hostSettings: { [BODY_LIMIT.name]: String(BODY_LIMIT.bytes) },
    secretSettings: settings
      .filter(({ isSecret }) => isSecret)
      .map(({ name }) => ({ setting: name, secret: secretName(name) })),
    limits: Object.entries(limits).map(([name, value]) => ({ name, value })),
    secretNamedValues: namedValues
      .filter(({ secret }) => secret)
      .map(({ name }) => ({ name, secret: keyGroups.find(({ namedValue }) => namedValue === name)?.secrets[0] })),
  };
}

/** The texts of the generated files, by their path from the root. The tests pass another root, which contains a fault. */
export async function generatedFiles(root = repository): Promise<Readonly<Record<string, string>>> {
  const directory = join(root, "infra/azure/apim");
  const { apis, namedValues } = await declaredGateway(directory);
  const perEnvironment = namedValues.filter((value) => value.perEnvironment).map(({ name }) => name);
  return {
    "infra/azure/generated/platform.json": `${JSON.stringify(await platform(root, directory), null, 2)}\n`,
    "infra/azure/generated/types.bicep": typesBicep({
      settings: settings.filter(({ isSecret }) => !isSecret),
      perEnvironment,
      workers: workers.map(({ name }) => name),
    }),
    "infra/azure/generated/gateway.bicep": await gatewayBicep(directory, apis),
  };
}

export const script = newScript(
  "npm run azure:generate --",
  "Writes what the Azure templates need of the code.",
).action(async () => {
  for (const [path, text] of Object.entries(await generatedFiles())) await writeFile(join(repository, path), text);
});

if (import.meta.main) await runScript(script);
