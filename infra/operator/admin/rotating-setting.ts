import { randomBytes } from "node:crypto";
import { secretCommands } from "./az.ts";
import type { Cloud } from "../common/cloud.ts";
import { unknownSetting } from "../common/platform.ts";
import { UsageError } from "../../tools/script.ts";

/** A setting of the app with several secrets by identifier. The first one is used for new values. */
export interface RotatingSetting {
  readonly name: "KEY_PEPPERS" | "TOKEN_CODE_KEYS" | "WEBHOOK_SECRET_KEYS";
  readonly secrets: Readonly<Record<string, string>> | undefined;
  /** The identifier of the new secret. */
  readonly newId: string;
  /** When the old secrets may be removed. */
  readonly until: string;
}

/** The secrets of the setting. If they are not known, throws an error that tells the operator how to provide them. */
export function secretsOf({ name, secrets }: Pick<RotatingSetting, "name" | "secrets">, { around }: Cloud) {
  if (secrets) return secrets;
  throw new UsageError(unknownSetting(name, around));
}

/** The Key Vault name of a secret setting. Key Vault does not allow underscores. */
export const secretName = (setting: string): string => setting.replaceAll("_", "-");

/**
 * The values of the setting, step by step, while a new secret replaces the first one. A host without a secret cannot read values made with
 * it. So every host must know the new secret before any host uses it.
 */
export function rotation(setting: RotatingSetting, cloud: Cloud) {
  const { name, newId, until } = setting;
  const secrets = secretsOf(setting, cloud);
  if (!/^[A-Za-z][\w-]{0,31}$/.test(newId))
    throw new UsageError("--id begins with a letter, and has up to 32 letters, digits, - and _.");
  if (Object.hasOwn(secrets, newId)) throw new UsageError(`${name} already has ${newId}: name another --id.`);
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

/** An identifier that no earlier rotation used: the current time, to the minute. */
export const idOf = (now: string): string => `k${now.slice(0, 16).replaceAll(/\D/g, "")}`;
