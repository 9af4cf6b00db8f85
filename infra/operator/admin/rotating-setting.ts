import { randomBytes } from "node:crypto";
import { secretCommands } from "./az.ts";
import type { Cloud } from "../common/cloud.ts";
import { unknownSetting } from "../common/platform.ts";
import { UsageError } from "../../tools/script.ts";

/** A setting of the app that holds several secrets by their identifiers, of which the first is for what is new. */
export interface RotatingSetting {
  readonly name: "KEY_PEPPERS" | "TOKEN_CODE_KEYS" | "WEBHOOK_SECRET_KEYS";
  readonly secrets: Readonly<Record<string, string>> | undefined;
  /** The identifier of the new secret. */
  readonly newId: string;
  /** When the old secrets may leave. */
  readonly until: string;
}

/** The secrets of the setting. Throws a sentence that says how to bring them where they are not known. */
export function secretsOf({ name, secrets }: Pick<RotatingSetting, "name" | "secrets">, { around }: Cloud) {
  if (secrets) return secrets;
  throw new UsageError(unknownSetting(name, around));
}

/** The name in Key Vault of a setting that is a secret: no underscores are allowed there. */
export const secretName = (setting: string): string => setting.replaceAll("_", "-");

/**
 * The values that the setting takes one after the other while a new secret takes the place of the first. A host that lacks a secret knows
 * nothing that was made by it, so every host knows the new one before any host makes something by it.
 */
export function rotation(setting: RotatingSetting, cloud: Cloud) {
  const { name, newId, until } = setting;
  const secrets = secretsOf(setting, cloud);
  if (!/^[A-Za-z][\w-]{0,31}$/.test(newId))
    throw new UsageError("--id begins with a letter, and has up to 32 letters, digits, - and _.");
  if (Object.hasOwn(secrets, newId)) throw new UsageError(`${name} has ${newId} already: name another --id.`);
  const added = { [newId]: randomBytes(32).toString("base64url") };
  const setIt = secretCommands(secretName(name), cloud.around);
  return [
    {
      step: `1. add ${newId} as the last, and restart every host`,
      [name]: JSON.stringify({ ...secrets, ...added }),
      setIt,
    },
    {
      step: `2. make ${newId} the first, and restart every host`,
      [name]: JSON.stringify({ ...added, ...secrets }),
      setIt,
    },
    { step: `3. ${until}, and restart every host`, [name]: JSON.stringify(added), setIt },
  ];
}

/** An identifier that no earlier rotation used: the moment, to the minute. */
export const idOf = (now: string): string => `k${now.slice(0, 16).replaceAll(/\D/g, "")}`;
