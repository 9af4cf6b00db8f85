import { z } from "zod";
import { connectionSettings, connectionsOfSettings, withCredential } from "../../shared/connection-settings.ts";
import { findStack } from "../local/directories.ts";
import type { Cloud, Connections } from "../operator/cloud.ts";
import { namedCloud } from "./clouds-file.ts";
import { operatorsIdentity } from "./operators-identity.ts";
import { UsageError } from "../script.ts";

/** How the operator names the cloud on the command line. */
export interface NamedCloud {
  /** `--stack <file>`: the stack file of a stack that runs here. */
  readonly stack?: string | undefined;
  /** `--cloud <name>`: one of the clouds file. */
  readonly cloud?: string | undefined;
  /** `--clouds <file>`: the clouds file; `clouds.json` where left out. */
  readonly clouds?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const stackFile = z.object({
  tables: z.string().min(1),
  serviceBus: z.string().min(1),
  peppers: z.record(z.string(), z.string()),
  codeKeys: z.record(z.string(), z.string()),
});

/**
 * The cloud that a command works on: the one that the command line names, else that of the app's own settings, else the stack that runs on
 * this machine. Two ways at once are refused, and so is one setting without the other, because the operator might mean another cloud.
 */
export async function findCloud(env: Environment, named: NamedCloud = {}): Promise<Cloud> {
  const isOfSettings = Object.keys(connectionSettings.shape).some((name) => env[name] !== undefined);
  refuseTwoWays({
    "--stack": named.stack,
    "--cloud": named.cloud,
    "TABLES_CONNECTION and SERVICE_BUS_CONNECTION": isOfSettings ? "set" : undefined,
  });
  if (named.clouds !== undefined && named.cloud === undefined) throw new UsageError("--clouds is for --cloud <name>.");
  if (named.cloud !== undefined) return { ...(await namedCloud(named.cloud, named.clouds)), ...ofEnvironment(env) };
  if (isOfSettings) return { ...ofSettings(env), around: {}, ...ofEnvironment(env) };
  return ofStack(named.stack);
}

function refuseTwoWays(ways: Readonly<Record<string, string | undefined>>): void {
  const used = Object.entries(ways).flatMap(([way, value]) => (value ? [way] : []));
  if (used.length > 1) throw new UsageError(`Name the cloud in one way: ${used.join(", or ")}, not both.`);
}

/** The cloud of the app's settings, by the app's own rules. Where they name no keys, the operator's own identity takes the app's place. */
function ofSettings(env: Environment): Connections & Pick<Cloud, "isLocal"> {
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
  };
}

const isEmulator = (serviceBus: string): boolean => /UseDevelopmentEmulator=true/i.test(serviceBus);

const ofEnvironment = (env: Environment): Pick<Cloud, "peppers" | "codeKeys"> => ({
  peppers: readSecrets(env, "KEY_PEPPERS", { of: "pepperID", shortest: 16 }),
  codeKeys: readSecrets(env, "TOKEN_CODE_KEYS", { of: "keyID", shortest: 32 }),
});

/** The secrets of a setting of the app; undefined where it is not set. The setting's text never appears in the error. */
function readSecrets(
  env: Environment,
  setting: string,
  { of, shortest }: { readonly of: string; readonly shortest: number },
): Readonly<Record<string, string>> | undefined {
  const json = env[setting];
  if (json === undefined) return undefined;
  try {
    return z.record(z.string(), z.string().min(shortest)).parse(JSON.parse(json));
  } catch {
    throw new UsageError(`${setting} is a JSON object, {"<${of}>": "<secret of ${shortest} characters or more>"}.`);
  }
}

async function ofStack(named: string | undefined): Promise<Cloud> {
  try {
    return { ...stackFile.parse(await findStack(named)), isLocal: true, around: {} };
  } catch (error) {
    const why = error instanceof z.ZodError ? "That is no stack file of this version." : messageOf(error);
    throw new UsageError(`${why}\nOr name a cloud: --cloud <name>, or TABLES_CONNECTION and SERVICE_BUS_CONNECTION.`, {
      cause: error,
    });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
