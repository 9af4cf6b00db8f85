import type { Peppers } from "../../../shared/edge/auth/credentials.ts";
import type { WebhookSecretKeys } from "../../../shared/edge/auth/signing-secrets.ts";
import type { CodeKeys } from "../../../shared/adapters/codes/keyed-codes.ts";
import type { BusNamespace } from "../../../shared/adapters/queues/bus-client.ts";
import type { TablesAccount } from "../../../shared/adapters/tables/azure-tables.ts";

/** The tables and queues that a command works on. */
export interface Connections {
  readonly tables: TablesAccount;
  readonly serviceBus: BusNamespace;
}

/** The parts of the platform in addition to tables and queues. Commands that are shown to an operator use them. */
export interface Surroundings {
  /** The gateway of the stack that runs here, and the key of its subscription, which is public. */
  readonly baseUrl?: string | undefined;
  readonly subscriptionKey?: string | undefined;
  readonly resourceGroup?: string | undefined;
  readonly apiManagement?: string | undefined;
  readonly functionApp?: string | undefined;
  readonly keyVault?: string | undefined;
}

/** The cloud that a command works on. */
export interface Cloud extends Connections {
  /** Whether it runs on this machine. */
  readonly isLocal: boolean;
  /** The secrets that hash keys. Undefined if they are not known. The first one is for new keys. */
  readonly peppers?: Peppers | undefined;
  /** The secrets that make codes and hash addresses. Undefined if they are not known. The first one makes new codes. */
  readonly codeKeys?: CodeKeys | undefined;
  /** The keys that encrypt the webhooks' secrets. Undefined if they are not known. The first one encrypts new secrets. */
  readonly webhookSecretKeys?: WebhookSecretKeys | undefined;
  readonly around: Surroundings;
}

/** Names the cloud's tables and Service Bus, without keys. */
export function cloudOf({ tables, serviceBus }: Connections): string {
  return `the tables of ${accountOf(tables)} and the Service Bus ${busOf(serviceBus)}`;
}

const accountOf = (tables: TablesAccount): string =>
  typeof tables !== "string"
    ? tables.endpoint
    : (/(?:^|;)TableEndpoint=([^;]+)/i.exec(tables)?.[1] ??
      /(?:^|;)AccountName=([^;]+)/i.exec(tables)?.[1] ??
      "an unnamed account");

const busOf = (bus: BusNamespace): string =>
  typeof bus !== "string" ? bus.namespace : (/(?:^|;)Endpoint=sb:\/\/([^;/]+)/i.exec(bus)?.[1] ?? "without a name");
