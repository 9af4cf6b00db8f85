import type { Peppers } from "../../../shared/auth/credentials.ts";
import type { WebhookSecretKeys } from "../../../shared/auth/signing-secrets.ts";
import type { CodeKeys } from "../../../shared/codes/keyed-codes.ts";
import type { BusNamespace } from "../../../shared/queues/bus-client.ts";
import type { TablesAccount } from "../../../shared/tables/azure-tables.ts";

/** The tables and queues that a command works on. */
export interface Connections {
  readonly tables: TablesAccount;
  readonly serviceBus: BusNamespace;
}

/** What belongs to the platform beside tables and queues, for the commands that an operator is shown. */
export interface Surroundings {
  readonly resourceGroup?: string | undefined;
  readonly apiManagement?: string | undefined;
  readonly functionApp?: string | undefined;
  readonly keyVault?: string | undefined;
}

/** The cloud that a command works on. */
export interface Cloud extends Connections {
  /** It runs on this machine. */
  readonly isLocal: boolean;
  /** What hashes keys; undefined where it is not known. The first is for new keys. */
  readonly peppers?: Peppers | undefined;
  /** What makes codes, and hashes addresses; undefined where it is not known. The first makes new codes. */
  readonly codeKeys?: CodeKeys | undefined;
  /** The keys that encrypt the secrets of webhooks; undefined if they are not known. The first encrypts new ones. */
  readonly webhookSecretKeys?: WebhookSecretKeys | undefined;
  readonly around: Surroundings;
}

/** The cloud's names without its keys: its tables and its Service Bus. */
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
