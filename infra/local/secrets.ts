import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { HostKeys } from "./functions-host/keys.ts";

const gatewayApis = ["partners", "terminals"] as const;

/** By API: the key with which the gateway calls its functions. It opens no others, so that a path which is read in two ways opens nothing. */
export type FunctionsKeys = Readonly<Record<(typeof gatewayApis)[number], string>>;

const key = () => randomBytes(24).toString("base64url");

export interface Secrets extends ReturnType<typeof newSecrets> {}

/** What a stack makes up for itself at each start. */
export const newSecrets = () => ({
  pepper: randomBytes(24).toString("hex"),
  masterKey: key(),
  functionsKeys: { partners: key(), terminals: key() } satisfies FunctionsKeys,
  subscriptionKey: randomBytes(16).toString("hex"),
  secondarySubscriptionKey: randomBytes(16).toString("hex"),
});

/** The keys as the policies name them. */
export const functionsKeysOf = ({ partners, terminals }: FunctionsKeys) => ({
  "partners-functions-key": partners,
  "terminals-functions-key": terminals,
});

/** The keys that the host takes: each a function's own, and none that opens every function but the master key. */
export function hostKeys(
  { masterKey, functionsKeys }: Secrets,
  consumerKeys: Readonly<Record<string, string>>,
): HostKeys {
  const consumers = Object.entries(consumerKeys).map(([name, key]) => [name, { consumer: key }] as const);
  const gateways = gatewayApis.flatMap((api) =>
    functionsOf(api).map((name) => [name, { gateway: functionsKeys[api] }] as const),
  );
  return { master: masterKey, host: {}, functions: Object.fromEntries([...consumers, ...gateways]) };
}

/** Each function of an API is a file of its folder. */
const functionsOf = (api: keyof FunctionsKeys): string[] =>
  readdirSync(new URL(`../../functions/${api}`, import.meta.url)).map((file) => basename(file, ".ts"));
