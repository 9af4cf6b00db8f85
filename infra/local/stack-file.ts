import { tablesConnection } from "./azurite.ts";
import type { DemoConsumer, NewConsumer } from "./consumer.ts";
import type { Ports } from "./ports.ts";
import { serviceBusConnection } from "./processes.ts";
import type { FunctionsKeys, Secrets } from "./secrets.ts";
import type { DemoPartner } from "./seed.ts";

/** What a client of the running stack needs to know; `stack.json` in its folder while it runs. */
export interface StackFile {
  /** The process that ends the stack when it ends. */
  readonly pid: number;
  readonly partnersUrl: string;
  readonly terminalsUrl: string;
  readonly consumerUrl: string;
  readonly functionsUrl: string;
  readonly tables: string;
  readonly serviceBus: string;
  /** What was mailed, as JSON: nothing leaves this machine. */
  readonly mails: string;
  /** Where faults of tables and queues are asked for. */
  readonly faults: string;
  readonly demo: DemoPartner & {
    readonly consumer: DemoConsumer;
    readonly subscriptionKey: string;
    readonly functionsKeys: FunctionsKeys;
    /** What a partner's server adds to each of its requests. */
    readonly headers: Readonly<Record<string, string>>;
  };
}

interface Site {
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly consumer: NewConsumer;
  readonly faultsUrl: string;
}

/** What the stack that listens there, with these keys and this demo, tells its clients. */
export function stackFile({ ports, secrets, consumer, faultsUrl }: Site, partner: DemoPartner): StackFile {
  const gatewayUrl = loopback(ports.gateway);
  const { subscriptionKey, functionsKeys } = secrets;
  return {
    pid: process.pid,
    partnersUrl: `${gatewayUrl}/partners`,
    terminalsUrl: `${gatewayUrl}/terminals`,
    consumerUrl: `${gatewayUrl}/consumer`,
    functionsUrl: loopback(ports.functions),
    tables: tablesConnection(ports.tables),
    serviceBus: serviceBusConnection(ports.serviceBus),
    mails: `${loopback(ports.mails)}/mails`,
    faults: faultsUrl,
    demo: {
      ...partner,
      consumer: consumer.demo,
      subscriptionKey,
      functionsKeys,
      headers: partnerHeaders(partner.apikey, subscriptionKey),
    },
  };
}

/** Where a server of the stack is reached. */
export const loopback = (port: number) => `http://127.0.0.1:${port}`;

/** The headers that the specification demands of a partner; the client adds Host. */
export const partnerHeaders = (apikey: string, subscriptionKey: string) => ({
  apikey,
  "Ocp-Apim-Subscription-Key": subscriptionKey,
  "Ocp-Apim-Trace": "true",
  "Content-Type": "application/json",
});
