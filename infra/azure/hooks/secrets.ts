import { randomBytes } from "node:crypto";
import * as z from "zod";
import { health } from "../../../functions/probes/health.ts";
import { hashPassword } from "../../../shared/edge/auth/basic-credentials.ts";
import { idOf, secretName } from "../../operator/admin/rotating-setting.ts";
import { newScript, runScript } from "../../tools/script.ts";
import { keyGroups, keySecret } from "../function-keys.ts";
import { azure, readVariables } from "./azure.ts";
import { lentRight, PATIENCE } from "./lent-right.ts";
import { azureVault, type Vault } from "./vault.ts";

// `npm run azure:secrets` makes the secrets in the foundation's vaults. azd runs it between the foundation and the platform.

/** The vaults of an environment: one for the app's settings, and one for the Functions host only. */
export interface Vaults {
  readonly settings: Vault;
  readonly keys: Vault;
}

export interface Generator {
  /** A new secret of 32 random bytes, as letters, digits, `-` and `_`. */
  readonly secret: () => string;
  /** A unique identifier for peppers, keys and users. */
  readonly id: string;
}

export const generator = (id: string): Generator => ({ secret: () => randomBytes(32).toString("base64url"), id });

/** An address without a mail server. The app can start with it, and retries mails for a day and a half. */
const NO_MAIL_SERVER = "smtp://mail.invalid:587";

type MakeSetting = (vault: Vault, generate: Generator) => Promise<string>;

/** How the value of each secret setting is made. */
export const secretSettings: Readonly<Record<string, MakeSetting>> = {
  KEY_PEPPERS: async (_, { id, secret }) => JSON.stringify({ [id]: secret() }),
  TOKEN_CODE_KEYS: async (_, { id, secret }) => JSON.stringify({ [id]: secret() }),
  WEBHOOK_SECRET_KEYS: async (_, { id, secret }) => JSON.stringify({ [id]: secret() }),
  async CONSUMER_CREDENTIALS(vault, { id, secret }) {
    const [user, password] = [`web-${id}`, secret()];
    // The password is stored first, so that there is no hash without its password.
    await vault.add(`CONSUMER-PASSWORD-${user}`, password);
    return JSON.stringify({ [user]: hashPassword(user, password) });
  },
  SMTP_URL: async () => NO_MAIL_SERVER,
};

/** Without this key, the host treats all its keys as lost: it makes new ones and deletes the others. */
const MASTER_KEY = "host--masterKey--master";

/**
 * A key for `health`, which needs no key. The host would make keys for a function without a key, and then delete each secret whose name
 * begins with that function's name. So it would delete the keys of `health-detail`.
 */
const KEYLESS = keySecret(health.name, "unused");

/**
 * Makes each missing secret, and changes no existing one. Both vaults are listed before anything is made, so that a vault that cannot be
 * read never counts as empty. Returns the new secrets, as `<vault>/<secret>`. If it fails midway, run it again to make the rest.
 */
export async function makeSecrets({ settings, keys }: Vaults, generate: Generator): Promise<readonly string[]> {
  const [inSettings, inKeys] = await Promise.all([settings.names(), keys.names()]);
  const made: string[] = [];
  const add = async (vault: Vault, secret: string, value: string) => {
    await vault.add(secret, value);
    made.push(`${vault.name}/${secret}`);
  };
  for (const [setting, make] of Object.entries(secretSettings))
    if (!inSettings.has(secretName(setting).toLowerCase()))
      await add(settings, secretName(setting), await make(settings, generate));
  for (const secret of [MASTER_KEY, KEYLESS])
    if (!inKeys.has(secret.toLowerCase())) await add(keys, secret, generate.secret());
  for (const { secrets } of keyGroups) {
    const isThere = (secret: string) => inKeys.has(secret.toLowerCase());
    const [known, missing] = [secrets.find(isThere), secrets.filter((secret) => !isThere(secret))];
    if (missing.length === 0) continue;
    // All functions of a group have the same key, including a new function.
    const value = known === undefined ? generate.secret() : await keys.read(known);
    for (const secret of missing) await add(keys, secret, value);
  }
  return made;
}

/** The environment, and the names that foundation.bicep has as outputs. */
const variables = z.object({
  AZURE_SUBSCRIPTION_ID: z.string(),
  AZURE_RESOURCE_GROUP: z.string(),
  settingsVault: z.string(),
  keysVault: z.string(),
});

async function main(): Promise<void> {
  const { AZURE_SUBSCRIPTION_ID, AZURE_RESOURCE_GROUP, settingsVault, keysVault } = readVariables(
    variables,
    process.env,
  );
  const [cloud, place] = [azure(), { subscriptionId: AZURE_SUBSCRIPTION_ID, resourceGroup: AZURE_RESOURCE_GROUP }];
  const keys = lentRight(cloud, place, azureVault(cloud, place, keysVault), PATIENCE);
  const vaults = { settings: azureVault(cloud, place, settingsVault), keys: keys.vault };
  try {
    const made = await makeSecrets(vaults, generator(idOf(new Date().toISOString())));
    console.log(made.length === 0 ? "Every secret was there." : `Secrets made: ${made.join(", ")}.`);
    if (made.some((secret) => secret.endsWith("/SMTP-URL")))
      console.log("SMTP-URL names no mail server yet: vouchers are not mailed until it is set (docs/deploy.md).");
  } finally {
    await keys.takeBack();
  }
}

export const script = newScript(
  "npm run azure:secrets --",
  "Makes the secrets that are absent. azd runs it after the foundation.",
).action(main);

if (import.meta.main) await runScript(script);
