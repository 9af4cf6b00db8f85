import { randomBytes } from "node:crypto";
import partners from "../../../infra/azure/apim/openapi/partners.json" with { type: "json" };
import terminals from "../../../infra/azure/apim/openapi/terminals.json" with { type: "json" };
import type { Peppers } from "../../../shared/edge/auth/credentials.ts";
import type { WebhookSecretKeys } from "../../../shared/edge/auth/signing-secrets.ts";
import type { HostKeys } from "../../local-azure/functions-host/host.ts";

const gatewayApis = ["partners", "terminals"] as const;

/**
 * By API: the key with which the gateway calls its functions. Other functions do not accept it. So a path that gateway and host read
 * differently reaches no other function.
 */
export type FunctionsKeys = Readonly<Record<(typeof gatewayApis)[number], string>>;

const key = () => randomBytes(24).toString("base64url");

export interface Secrets extends ReturnType<typeof newSecrets> {}

/** The secrets that a stack creates at each start. */
export const newSecrets = () => ({
  pepper: randomBytes(24).toString("hex"),
  webhookSecretKey: key(),
  masterKey: key(),
  functionsKeys: { partners: key(), terminals: key() } satisfies FunctionsKeys,
  healthKey: key(),
  subscriptionKey: randomBytes(16).toString("hex"),
  secondarySubscriptionKey: randomBytes(16).toString("hex"),
});

/** The app's peppers, as its setting `KEY_PEPPERS` names them. */
export const peppersOf = ({ pepper }: Secrets): Peppers => ({ local: pepper });

/** The app's keys for the secrets of webhooks, as its setting `WEBHOOK_SECRET_KEYS` names them. */
export const webhookSecretKeysOf = ({ webhookSecretKey }: Secrets): WebhookSecretKeys => ({ local: webhookSecretKey });

/** The keys, by the names that the policies use. */
export const functionsKeysOf = ({ partners, terminals }: FunctionsKeys) => ({
  "partners-functions-key": partners,
  "terminals-functions-key": terminals,
});

/** The keys that the host accepts. Each opens one function; only the master key opens every function. */
export function hostKeys(
  { masterKey, functionsKeys, healthKey }: Secrets,
  consumerKeys: Readonly<Record<string, string>>,
): HostKeys {
  const consumers = Object.entries(consumerKeys).map(([name, key]) => [name, { consumer: key }] as const);
  const gateways = gatewayApis.flatMap((api) =>
    functionsOf(api).map((name) => [name, { gateway: functionsKeys[api] }] as const),
  );
  const operators = [["health-detail", { operator: healthKey }] as const];
  return { master: masterKey, host: {}, functions: Object.fromEntries([...consumers, ...gateways, ...operators]) };
}

const imported = { partners, terminals } as const;

/** The functions of an API: each is an operation of the document that Azure imports. */
const functionsOf = (api: keyof FunctionsKeys): string[] =>
  Object.values<Readonly<Record<string, { readonly operationId?: string }>>>(imported[api].paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId }) => operationId ?? []);
