import * as z from "zod";
import {
  connectionSettings,
  connectionsOfSettings,
  withCredential,
} from "../../../shared/edge/settings/connection-settings.ts";
import { keyring } from "../../../shared/edge/settings/config.ts";
import { areHere, holdsDemoSecret } from "../../../shared/edge/settings/demo-secrets.ts";
import { readRunningStack } from "../../tools/running-stacks.ts";
import type { Cloud, Connections } from "../common/cloud.ts";
import { namedCloud } from "./clouds-file.ts";
import { operatorsIdentity } from "./operators-identity.ts";
import type { RotatingSetting } from "./rotating-setting.ts";
import { UsageError } from "../../tools/script.ts";

/** How the operator names the cloud on the command line. */
export interface NamedCloud {
  /** `--stack <file>`: the stack file of a stack that runs on this machine. */
  readonly stack?: string | undefined;
  /** `--cloud <name>`: a cloud of the clouds file. */
  readonly cloud?: string | undefined;
  /** `--clouds <file>`: the clouds file. Default: `clouds.json`. */
  readonly clouds?: string | undefined;
}

type KeyringSetting = RotatingSetting["name"];
type Environment = Readonly<Record<string, string | undefined>>;

const stackFile = z.object({
  baseUrl: z.string().min(1),
  demo: z.object({ subscriptionKey: z.string() }),
  tables: z.string().min(1),
  serviceBus: z.string().min(1),
  peppers: z.record(z.string(), z.string()),
  codeKeys: z.record(z.string(), z.string()),
  webhookSecretKeys: z.record(z.string(), z.string()),
});

/**
 * The cloud that a command works on. The command line names it. Otherwise the app's own settings do, and otherwise it is the stack that
 * runs on this machine. Throws if the cloud is named in two ways, or if only one of two settings is set: the operator might mean another
 * cloud.
 */
export async function findCloud(env: Environment, named: NamedCloud = {}): Promise<Cloud> {
  const isOfSettings = Object.keys(connectionSettings.shape).some((name) => env[name] !== undefined);
  refuseTwoWays({
    "--stack": named.stack,
    "--cloud": named.cloud,
    "TABLES_CONNECTION and SERVICE_BUS_CONNECTION": isOfSettings ? "set" : undefined,
  });
  if (named.clouds !== undefined && named.cloud === undefined) throw new UsageError("--clouds needs --cloud <name>.");
  if (named.cloud !== undefined)
    return { ...(await namedCloud(named.cloud, named.clouds)), ...ofEnvironment(env, false) };
  if (isOfSettings) {
    const { isHere, ...connections } = ofSettings(env);
    return { ...connections, around: {}, ...ofEnvironment(env, isHere) };
  }
  return ofStack(named.stack);
}

function refuseTwoWays(ways: Readonly<Record<string, string | undefined>>): void {
  const used = Object.entries(ways).flatMap(([way, value]) => (value ? [way] : []));
  if (used.length > 1) throw new UsageError(`Name the cloud in only one way: ${used.join(" or ")}.`);
}

/** The cloud of the app's settings, read by the app's own rules. If the settings contain no keys, the operator's own identity is used. */
function ofSettings(env: Environment): Connections & Pick<Cloud, "isLocal"> & { readonly isHere: boolean } {
  const read = connectionsOfSettings.safeParse(env);
  if (!read.success) {
    const wrong = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new UsageError(`These settings do not name a cloud: ${wrong.join("; ")}.`);
  }
  const { tables, serviceBus } = read.data;
  return {
    tables: withCredential(tables, operatorsIdentity),
    serviceBus: withCredential(serviceBus, operatorsIdentity),
    isLocal: typeof serviceBus === "string" && isEmulator(serviceBus),
    isHere: areHere(read.data),
  };
}

const isEmulator = (serviceBus: string): boolean => /UseDevelopmentEmulator=true/i.test(serviceBus);

/** The app's secrets, read by the app's own rules. If the cloud is not on this machine, the demo's secrets are rejected. */
function ofEnvironment(env: Environment, isHere: boolean): Pick<Cloud, "peppers" | "codeKeys" | "webhookSecretKeys"> {
  const read = (setting: KeyringSetting) => {
    const secrets = readKeyring(env, setting);
    if (!isHere && holdsDemoSecret(secrets ?? {}))
      throw new UsageError(`${setting} holds a public key of the demo, and the cloud is not on this machine.`);
    return secrets;
  };
  return {
    peppers: read("KEY_PEPPERS"),
    codeKeys: read("TOKEN_CODE_KEYS"),
    webhookSecretKeys: read("WEBHOOK_SECRET_KEYS"),
  };
}

/** The secrets of a setting of the app. Undefined if it is not set. Errors never contain the setting's text. */
function readKeyring(env: Environment, setting: KeyringSetting): Readonly<Record<string, string>> | undefined {
  if (env[setting] === undefined) return undefined;
  const read = keyring.safeParse(env[setting]);
  if (read.success) return read.data;
  throw new UsageError(`${setting} must be a JSON object, {"<ID>": "<secret of 32 characters or more, at random>"}.`);
}

async function ofStack(named: string | undefined): Promise<Cloud> {
  try {
    const { baseUrl, demo, ...cloud } = stackFile.parse(await readRunningStack(named));
    return { ...cloud, isLocal: true, around: { baseUrl, subscriptionKey: demo.subscriptionKey } };
  } catch (error) {
    const why = error instanceof z.ZodError ? "This is not a stack file of this version." : messageOf(error);
    throw new UsageError(`${why}\nOr name a cloud: --cloud <name>, or TABLES_CONNECTION and SERVICE_BUS_CONNECTION.`, {
      cause: error,
    });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
