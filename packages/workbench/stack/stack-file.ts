import type { Peppers } from "../../../shared/edge/auth/credentials.ts";
import type { WebhookSecretKeys } from "../../../shared/edge/auth/signing-secrets.ts";
import type { CodeKeys } from "../../../shared/adapters/codes/keyed-codes.ts";
import { tablesConnection } from "./azurite.ts";
import type { DemoConsumer, NewConsumer } from "./consumer.ts";
import type { Ports } from "./ports.ts";
import { serviceBusConnection } from "./processes.ts";
import { peppersOf, webhookSecretKeysOf, type FunctionsKeys, type Secrets } from "./secrets.ts";
import type { DemoPartner } from "../../../infra/operator/common/seed.ts";

/** The addresses and keys for clients of a running stack. It is `stack.json` in the stack's folder while the stack runs. */
export interface StackFile {
  /** The process of the stack. The stack ends with it. */
  readonly pid: number;
  readonly baseUrl: string;
  readonly terminalsUrl: string;
  readonly functionsUrl: string;
  readonly tables: string;
  readonly serviceBus: string;
  /** The peppers of the app. The first one hashes new keys. */
  readonly peppers: Peppers;
  /** The code keys of the app. The first one makes new codes. */
  readonly codeKeys: CodeKeys;
  /** The app's keys for the secrets of webhooks. The first one encrypts new secrets. */
  readonly webhookSecretKeys: WebhookSecretKeys;
  /** The address of the sent mails, as JSON. No mail leaves this machine. */
  readonly mails: string;
  /** The address where faults of tables and queues are set. */
  readonly faults: string;
  /** The address of the live page. Undefined if there is none. */
  readonly live?: string;
  /** The addresses of the reference and the landing page. Undefined if they are not served. */
  readonly reference?: string;
  readonly landingPage?: string;
  /** The `x-functions-key` of `GET /health/detail` at `functionsUrl`. */
  readonly healthKey: string;
  readonly demo: DemoPartner & {
    readonly consumer: DemoConsumer;
    readonly subscriptionKey: string;
    readonly functionsKeys: FunctionsKeys;
    /** The headers that a partner's server adds to each of its requests. */
    readonly headers: Readonly<Record<string, string>>;
  };
}

interface Site {
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly consumer: NewConsumer;
  readonly faultsUrl: string;
  readonly liveUrl: string | undefined;
  readonly pages: Pick<StackFile, "reference" | "landingPage"> | undefined;
}

/** Makes the stack file from the stack's ports, its keys and the demo's partner. */
export function stackFile(
  { ports, secrets, consumer, faultsUrl, liveUrl, pages }: Site,
  partner: DemoPartner,
): StackFile {
  const gatewayUrl = loopback(ports.gateway);
  const { subscriptionKey, functionsKeys, healthKey } = secrets;
  return {
    pid: process.pid,
    baseUrl: gatewayUrl,
    terminalsUrl: `${gatewayUrl}/terminals`,
    functionsUrl: loopback(ports.functions),
    tables: tablesConnection(ports.tables),
    serviceBus: serviceBusConnection(ports.serviceBus),
    peppers: peppersOf(secrets),
    codeKeys: consumer.codeKeys,
    webhookSecretKeys: webhookSecretKeysOf(secrets),
    mails: `${loopback(ports.mails)}/mails`,
    faults: faultsUrl,
    ...(liveUrl !== undefined && { live: liveUrl }),
    ...pages,
    healthKey,
    demo: {
      ...partner,
      consumer: consumer.demo,
      subscriptionKey,
      functionsKeys,
      headers: partnerHeaders(partner.apikey, subscriptionKey),
    },
  };
}

/** The address of a server of the stack. */
export const loopback = (port: number) => `http://127.0.0.1:${port}`;

/** The headers that the specification requires from a partner. The client adds Host. */
export const partnerHeaders = (apikey: string, subscriptionKey: string) => ({
  apikey,
  "Ocp-Apim-Subscription-Key": subscriptionKey,
  "Ocp-Apim-Trace": "true",
  "Content-Type": "application/json",
});
