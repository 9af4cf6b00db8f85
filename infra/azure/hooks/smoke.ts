import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { keyGroups } from "../function-keys.ts";
import { newScript, runScript } from "../../script.ts";
import { azure, MANAGEMENT, type Azure } from "./azure.ts";
import { checksOf, findings, type Deployed } from "./smoke-checks.ts";
import { azureVault, type Place, type Vault } from "./vault.ts";

// After a deployment: asks the operations through the gateway, never the host, which is well when no function is. `npm run azure:smoke`;
// azd runs it after it deploys, and fails where this fails.

/** What azd knows of the deployment: the outputs of main.bicep, and what stands in the environment. */
const deployment = z.object({
  gatewayUrl: z.url(),
  AZURE_SUBSCRIPTION_ID: z.string().optional(),
  AZURE_RESOURCE_GROUP: z.string().optional(),
  apiManagement: z.string().optional(),
  keyVault: z.string().optional(),
  keysVault: z.string().optional(),
  CONSUMER_WEB_ORIGIN: z.string().optional(),
});

/** Its value, or undefined where this machine may not have it: then some checks are left out, and the output says so. */
const orUndefined = <T>(value: Promise<T>): Promise<T | undefined> => value.catch(() => undefined);

const keys = z.object({ primaryKey: z.string() });

/** The key of the subscription that API Management has for every API. */
async function subscriptionKey({ send }: Azure, { subscriptionId, resourceGroup }: Place, gateway: string) {
  const { body } = await send({
    method: "POST",
    url: `${MANAGEMENT}/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.ApiManagement/service/${gateway}/subscriptions/master/listSecrets?api-version=2024-05-01`,
  });
  return keys.parse(body).primaryKey;
}

/** The consumer that the first deployment made, while it is one. */
async function firstConsumer(settings: Vault): Promise<Deployed["consumer"]> {
  const users = z.record(z.string(), z.string()).parse(JSON.parse(await settings.read("CONSUMER-CREDENTIALS")));
  const user = Object.keys(users).find((name) => name.startsWith("web-"));
  return user === undefined ? undefined : { user, password: await settings.read(`CONSUMER-PASSWORD-${user}`) };
}

/** What is known of the deployed platform. Keys stay in memory. */
export async function knownOf(
  cloud: Azure,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Deployed> {
  const { gatewayUrl, CONSUMER_WEB_ORIGIN: consumerWebOrigin, ...given } = deployment.parse(variables);
  const { AZURE_SUBSCRIPTION_ID: subscriptionId, AZURE_RESOURCE_GROUP: resourceGroup } = given;
  const known = { gatewayUrl: gatewayUrl.replace(/\/$/, ""), consumerWebOrigin };
  const { apiManagement, keyVault, keysVault } = given;
  if (!subscriptionId || !resourceGroup || !apiManagement || !keyVault || !keysVault) return known;
  const place = { subscriptionId, resourceGroup };
  const secret = keyGroups.find(({ group }) => group === "consumer")?.secrets[0] ?? "";
  return {
    ...known,
    subscriptionKey: await orUndefined(subscriptionKey(cloud, place, apiManagement)),
    consumerKey: await orUndefined(azureVault(cloud, place, keysVault).read(secret)),
    consumer: await orUndefined(firstConsumer(azureVault(cloud, place, keyVault))),
  };
}

/** Roles take minutes until they hold, and so does the first start of the app. */
const PATIENCE_MS = 5 * 60_000;

async function main(): Promise<void> {
  const { checks, leftOut } = checksOf(await knownOf(azure(), process.env));
  const began = Date.now();
  let wrong = await findings(checks);
  while (wrong.length > 0 && Date.now() - began < PATIENCE_MS) {
    console.log(`${wrong.length} of ${checks.length} checks fail; tried again for up to five minutes.`);
    await sleep(10_000);
    wrong = await findings(wrong.map(({ check }) => check));
  }
  for (const one of wrong) console.error(`${one.check.what}: ${one.wrong}.`);
  for (const one of leftOut) console.log(`Not asked: ${one}.`);
  console.log(`${checks.length - wrong.length} checks passed, ${wrong.length} failed.`);
  if (wrong.length > 0) process.exitCode = 1;
}

export const script = newScript(
  "npm run azure:smoke --",
  "Asks the operations of a deployed platform through its gateway. azd runs it after it deploys.",
).action(() =>
  main().catch((error: unknown) => {
    if (!(error instanceof z.ZodError)) throw error;
    const message = "gatewayUrl must be set to the gateway's address: azd sets it from the deployment's outputs.";
    throw new Error(message, { cause: error });
  }),
);

if (import.meta.main) await runScript(script);
