import * as z from "zod";
import { keyGroups } from "../function-keys.ts";
import { newScript, runScript } from "../../tools/script.ts";
import { azure, errorOf, MANAGEMENT, readVariables, type Azure } from "./azure.ts";
import { azureVault, type Place } from "./vault.ts";

// `npm run azure:keys` gives each function the key of its group. It is needed only if the Functions host does not read its keys from the
// vault.

const variables = z.object({
  AZURE_SUBSCRIPTION_ID: z.string(),
  AZURE_RESOURCE_GROUP: z.string(),
  functionApp: z.string(),
  keysVault: z.string(),
});

/** The names of the app and of the vault with its keys. */
export interface AppPlace extends Place {
  readonly app: string;
  readonly keysVault: string;
}

const VERSION = "api-version=2025-03-01";
const appSettings = z.object({ properties: z.record(z.string(), z.string()) });

/**
 * Sets the key of each function to its value in the vault. It can be repeated. Returns the number of keys. Throws if the host keeps its keys
 * in the vault. There, if a function gets a key, the host deletes the keys of functions whose names begin with that function's name.
 */
export async function setKeys(
  cloud: Pick<Azure, "send">,
  { subscriptionId, resourceGroup, app, keysVault }: AppPlace,
): Promise<number> {
  const site = `${MANAGEMENT}/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.Web/sites/${app}`;
  const listed = await cloud.send({ method: "POST", url: `${site}/config/appsettings/list?${VERSION}` });
  const settings = appSettings.safeParse(listed.body);
  if (listed.status !== 200 || !settings.success)
    throw new Error(`The settings of ${app} cannot be read (${errorOf(listed)}).`);
  if (settings.data.properties["AzureWebJobsSecretStorageType"] === "keyvault")
    throw new Error(`${app} keeps its keys in the vault: change them there. No key was set.`);
  const vault = azureVault(cloud, { subscriptionId, resourceGroup }, keysVault);
  let count = 0;
  for (const { key, functions, secrets } of keyGroups) {
    const value = await vault.read(secrets[0] ?? "");
    for (const name of functions) {
      const url = `${site}/functions/${name}/keys/${key}?${VERSION}`;
      const response = await cloud.send({ method: "PUT", url, body: { properties: { name: key, value } } });
      if (response.status !== 200 && response.status !== 201)
        throw new Error(`The function ${name} did not take its key (${errorOf(response)}); ${count} have theirs.`);
      count++;
    }
  }
  return count;
}

async function main(): Promise<void> {
  const { AZURE_SUBSCRIPTION_ID, AZURE_RESOURCE_GROUP, functionApp, keysVault } = readVariables(variables, process.env);
  const place = { subscriptionId: AZURE_SUBSCRIPTION_ID, resourceGroup: AZURE_RESOURCE_GROUP };
  console.log(`${await setKeys(azure(), { ...place, app: functionApp, keysVault })} keys are set.`);
}

export const script = newScript(
  "npm run azure:keys --",
  "Gives each function the key of its group, where the host does not read its keys from the vault.",
).action(main);

if (import.meta.main) await runScript(script);
