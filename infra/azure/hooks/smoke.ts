import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { keyGroups } from "../function-keys.ts";
import { newScript, runScript } from "../../tools/script.ts";
import { azure, errorOf, MANAGEMENT, readVariables, type Azure } from "./azure.ts";
import { checksOf, findings, stateOf, type Check, type Deployed } from "./smoke-checks.ts";
import { lentRight, PATIENCE } from "./lent-right.ts";
import { azureVault, type Place, type Vault } from "./vault.ts";

// `npm run azure:smoke` checks a deployment. It calls the operations through the gateway. The host's own health is not enough: it can be
// healthy while no function works. azd runs this after it deploys, and fails if this fails.

/** The values of a deployment that azd knows: the outputs of both layers, and the environment's variables. */
const deployment = z.object({
  gatewayUrl: z.url(),
  AZURE_SUBSCRIPTION_ID: z.string().optional(),
  AZURE_RESOURCE_GROUP: z.string().optional(),
  apiManagement: z.string().optional(),
  functionApp: z.string().optional(),
  keyVault: z.string().optional(),
  keysVault: z.string().optional(),
  CONSUMER_WEB_ORIGIN: z.string().optional(),
});

/** The value, or undefined if this machine may not read it. Then some checks are left out, and the output says so. */
const orUndefined = <T>(value: Promise<T>): Promise<T | undefined> => value.catch(() => undefined);

const keys = z.object({ primaryKey: z.string() });

/** The key of API Management's built-in subscription for all APIs. */
async function subscriptionKey(
  { send }: Pick<Azure, "send">,
  { subscriptionId, resourceGroup }: Place,
  gateway: string,
) {
  const { body } = await send({
    method: "POST",
    url: `${MANAGEMENT}/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.ApiManagement/service/${gateway}/subscriptions/master/listSecrets?api-version=2024-05-01`,
  });
  return keys.parse(body).primaryKey;
}

/** The consumer that the first deployment made. Undefined if it no longer exists. */
async function firstConsumer(settings: Vault): Promise<Deployed["consumer"]> {
  const users = z.record(z.string(), z.string()).parse(JSON.parse(await settings.read("CONSUMER-CREDENTIALS")));
  const user = Object.keys(users).find((name) => name.startsWith("web-"));
  return user === undefined ? undefined : { user, password: await settings.read(`CONSUMER-PASSWORD-${user}`) };
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Collects the known values of the deployed platform. Keys stay in memory. Rejects if a role that it lent to the deployer stays. */
export async function knownOf(cloud: Azure, variables: Variables, patience = PATIENCE): Promise<Deployed> {
  const { gatewayUrl, CONSUMER_WEB_ORIGIN: consumerWebOrigin, ...given } = readVariables(deployment, variables);
  const { AZURE_SUBSCRIPTION_ID: subscriptionId, AZURE_RESOURCE_GROUP: resourceGroup } = given;
  const known = { gatewayUrl: gatewayUrl.replace(/\/$/, ""), consumerWebOrigin };
  const { apiManagement, keyVault, keysVault } = given;
  if (!subscriptionId || !resourceGroup || !apiManagement || !keyVault || !keysVault) return known;
  const place = { subscriptionId, resourceGroup };
  const secret = keyGroups.find(({ group }) => group === "consumer")?.secrets[0] ?? "";
  const keys = lentRight(cloud, place, azureVault(cloud, place, keysVault), patience);
  const consumerKey = await orUndefined(keys.vault.read(secret));
  await keys.takeBack();
  return {
    ...known,
    consumerKey,
    subscriptionKey: await orUndefined(subscriptionKey(cloud, place, apiManagement)),
    consumer: await orUndefined(firstConsumer(azureVault(cloud, place, keyVault))),
  };
}

/**
 * Has the app read its secrets again, and restarts it. A reference to Key Vault may be read before the app's role is effective. Then it stays
 * unresolved for up to a day, and the app rejects its text. Returns a sentence for the output.
 */
export async function startAnew({ send }: Pick<Azure, "send">, variables: Variables): Promise<string> {
  const {
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    AZURE_RESOURCE_GROUP: resourceGroup,
    functionApp,
  } = readVariables(deployment, variables);
  if (!subscriptionId || !resourceGroup || !functionApp)
    return "The app does not start with its settings, and is not restarted: its name is not known.";
  const site = `${MANAGEMENT}/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.Web/sites/${functionApp}`;
  // Microsoft documents this version for the first call.
  const calls = [
    "config/configreferences/appsettings/refresh?api-version=2022-03-01",
    "restart?api-version=2025-03-01",
  ];
  for (const call of calls) {
    const response = await send({ method: "POST", url: `${site}/${call}` });
    if (response.status >= 300)
      return `The app does not start with its settings, and ${call.split("?")[0]} was refused (${errorOf(response)}).`;
  }
  return "The app did not start with its settings: it reads its secrets again, and starts anew.";
}

/** How the checks are repeated. */
export interface Repeated {
  /** Whether the checks are made again. */
  readonly isPatient: () => boolean;
  readonly wait: () => Promise<void>;
  /** The app's state, as it reports it. */
  readonly state: () => Promise<string | undefined>;
  /** Called once, if the app rejects its settings. */
  readonly startAnew: () => Promise<string>;
  readonly say: (line: string) => void;
}

/** Repeats the checks until all pass or `isPatient` returns false. Returns the findings of the last round. */
export async function repeated(checks: readonly Check[], { isPatient, wait, state, startAnew, say }: Repeated) {
  let wrong = await findings(checks);
  let isAnew = false;
  while (wrong.length > 0 && isPatient()) {
    say(`${wrong.length} of ${checks.length} checks fail; tried again for up to five minutes.`);
    if (!isAnew && (await state().catch(() => undefined)) === "notStarted") {
      isAnew = true;
      say(await startAnew());
    }
    await wait();
    wrong = await findings(wrong.map(({ check }) => check));
  }
  return wrong;
}

/** Roles take minutes to become effective, and so does the first start of the app. */
const PATIENCE_MS = 5 * 60_000;

async function main(): Promise<void> {
  const cloud = azure();
  const known = await knownOf(cloud, process.env);
  const { checks, leftOut } = checksOf(known);
  const began = Date.now();
  const wrong = await repeated(checks, {
    isPatient: () => Date.now() - began < PATIENCE_MS,
    wait: () => sleep(10_000),
    state: () => stateOf(known.gatewayUrl),
    startAnew: () => startAnew(cloud, process.env),
    say: console.log,
  });
  for (const one of wrong) console.error(`${one.check.what}: ${one.wrong}.`);
  for (const one of leftOut) console.log(`Not asked: ${one}.`);
  console.log(`${checks.length - wrong.length} checks passed, ${wrong.length} failed.`);
  if (wrong.length > 0) process.exitCode = 1;
}

export const script = newScript(
  "npm run azure:smoke --",
  "Asks the operations of a deployed platform through its gateway. azd runs it after it deploys.",
).action(main);

if (import.meta.main) await runScript(script);
