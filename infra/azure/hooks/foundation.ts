import { copyFile, access } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { idOf } from "../../admin/rotating-setting.ts";
import { newScript, runScript } from "../../script.ts";
import { azure, errorOf, MANAGEMENT, type Azure } from "./azure.ts";
import { generator, makeSecrets, type Generator } from "./secrets.ts";
import { azureVault } from "./vault.ts";

// Before the platform: the foundation, then the secrets in its vaults. `npm run azure:foundation`; azd runs it before it provisions.

const templates = fileURLToPath(new URL("../", import.meta.url));

/** What azd knows of the environment. */
export interface Environment {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly location: string;
  /** `dev`, `prod`: the middle of the parameter files' names. */
  readonly name: string;
}

const name = z.string().regex(/^[\w.-]+$/);
const environmentVariables = z.object({
  AZURE_SUBSCRIPTION_ID: name,
  AZURE_RESOURCE_GROUP: name,
  AZURE_LOCATION: name,
  AZURE_ENV_NAME: name,
});

/** The environment, from the variables that azd sets. Throws a sentence where one is missing. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const read = environmentVariables.safeParse(variables);
  if (!read.success) {
    const missing = read.error.issues.map(({ path }) => path.join("."));
    throw new Error(`${missing.join(" and ")} must be set to a name: azd env set <name> <value>, or in the shell.`);
  }
  const { AZURE_SUBSCRIPTION_ID, AZURE_RESOURCE_GROUP, AZURE_LOCATION, AZURE_ENV_NAME } = read.data;
  return {
    subscriptionId: AZURE_SUBSCRIPTION_ID,
    resourceGroup: AZURE_RESOURCE_GROUP,
    location: AZURE_LOCATION,
    name: AZURE_ENV_NAME,
  };
}

const deployed = z.object({
  properties: z.object({
    outputs: z.object({
      settingsVault: z.object({ value: z.string() }),
      keysVault: z.object({ value: z.string() }),
    }),
  }),
});

/** Shows what the foundation would change, deploys it, and makes the secrets that are absent. Returns the names of those. */
export async function layFoundation(
  { send, az }: Azure,
  environment: Environment,
  generate: Generator,
): Promise<readonly string[]> {
  const { subscriptionId, resourceGroup, location, name } = environment;
  const of = ["--subscription", subscriptionId, "--resource-group", resourceGroup];
  const parameters = ["--parameters", `infra/azure/foundation.${name}.bicepparam`];
  await az([
    ...words("group create"),
    "--subscription",
    subscriptionId,
    "--name",
    resourceGroup,
    "--location",
    location,
  ]);
  await az([...words("deployment group what-if"), ...of, ...parameters]);
  await az([...words("deployment group create"), ...of, "--name", "foundation", ...parameters, "--output", "none"]);
  const response = await send({
    method: "GET",
    url: `${MANAGEMENT}/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.Resources/deployments/foundation?api-version=2025-04-01`,
  });
  const found = deployed.safeParse(response.body);
  if (!found.success) throw new Error(`The foundation's names cannot be read (${errorOf(response)}).`);
  const { settingsVault, keysVault } = found.data.properties.outputs;
  const vault = (name: string) => azureVault({ send }, { subscriptionId, resourceGroup }, name);
  return makeSecrets({ settings: vault(settingsVault.value), keys: vault(keysVault.value) }, generate);
}

const words = (text: string): string[] => text.split(" ");

/** azd reads `main.bicepparam` alone. It becomes the environment's own file. Throws a sentence where the environment has none. */
export async function chooseParameters(environment: string, folder = templates): Promise<void> {
  const file = join(folder, `main.${environment}.bicepparam`);
  await access(file).catch(() => {
    throw new Error(
      `There is no environment ${environment}: it needs main.${environment}.bicepparam and foundation.${environment}.bicepparam in infra/azure.`,
    );
  });
  await copyFile(file, join(folder, "main.bicepparam"));
}

async function main(): Promise<void> {
  const environment = readEnvironment(process.env);
  await chooseParameters(environment.name);
  const made = await layFoundation(azure(), environment, generator(idOf(new Date().toISOString())));
  console.log(made.length === 0 ? "Every secret was there." : `Secrets made: ${made.join(", ")}.`);
  if (made.some((secret) => secret.endsWith("/SMTP-URL")))
    console.log("SMTP-URL names no mail server yet: vouchers are not mailed until it is set (docs/deploy.md).");
}

export const script = newScript(
  "npm run azure:foundation --",
  "Deploys the foundation, and makes the secrets that are absent. azd runs it before it provisions.",
).action(main);

if (import.meta.main) await runScript(script);
