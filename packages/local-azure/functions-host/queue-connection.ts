import { ServiceBusClient, type ServiceBusReceiver, type TokenCredential } from "@azure/service-bus";

/** The access to the queues: a connection string, or a namespace with the app's identity. */
export type BusConnection = string | IdentityConnection;

export interface IdentityConnection {
  readonly fullyQualifiedNamespace: string;
  /** The client id of the user-assigned identity. Undefined means the system-assigned identity. */
  readonly clientId: string | undefined;
  /** Whether the setting `__credential` excludes every other identity of the process. */
  readonly managedIdentityOnly: boolean;
}

/** A connection to the broker for one queue, with its receiver. */
export interface QueueConnection {
  readonly receiver: ServiceBusReceiver;
  /** Resolves with the reason when the connection is lost or cannot be made. The connection is never restored. */
  readonly lost: Promise<string>;
  /** Never rejects. On a lost connection it may take a minute; callers need not wait for it. */
  close(): Promise<void>;
}

/**
 * Opens a separate connection, which is discarded with its client when it is lost. The client could restore a connection, but not always.
 * If it is lost while a message is settled or its lock is renewed, the client first waits for responses that cannot come.
 */
export async function connectToQueue(
  connection: BusConnection,
  queueName: string,
  options: { readonly maxAutoLockRenewalMs: number },
): Promise<QueueConnection> {
  const client = await clientOf(connection);
  const receiver = client.createReceiver(queueName, {
    receiveMode: "peekLock",
    maxAutoLockRenewalDurationInMs: options.maxAutoLockRenewalMs,
    // The function gets the body and the dates in the extension's format, not in this client's.
    skipParsingBodyAsJson: true,
    skipConvertingDate: true,
  });
  return {
    receiver,
    lost: disconnected(client),
    async close() {
      // Both at once, because each marks itself as closed before it waits for the broker.
      await Promise.allSettled([receiver.close(), client.close()]);
    },
  };
}

async function clientOf(connection: BusConnection): Promise<ServiceBusClient> {
  const options = { retryOptions: { retryDelayInMs: 500 } };
  if (typeof connection === "string") return new ServiceBusClient(connection, options);
  return new ServiceBusClient(connection.fullyQualifiedNamespace, await credentialOf(connection), options);
}

/** The credentials of the extension. The package is large, so it is loaded only if a connection needs it. */
async function credentialOf({ clientId, managedIdentityOnly }: IdentityConnection): Promise<TokenCredential> {
  const { DefaultAzureCredential, ManagedIdentityCredential } = await import("@azure/identity");
  if (managedIdentityOnly) return new ManagedIdentityCredential(clientId === undefined ? {} : { clientId });
  return new DefaultAzureCredential(clientId === undefined ? {} : { managedIdentityClientId: clientId });
}

/** The client does not expose its connection (checked with 7.9.5). It has no event for its loss, and no option for its idle time-out. */
interface ClientInternals {
  readonly _connectionContext: {
    readonly connection: {
      once(event: "disconnected", listener: (context: { readonly error?: Error }) => void): void;
      /** The connection of rhea, with the frame that it opens with. */
      readonly _connection: { readonly local: { readonly open: { idle_time_out: number } } };
    };
  };
}

/**
 * The broker sends something twice in this time. If nothing arrives for twice this time, the connection is lost, although no end of it was
 * seen. The client's own value is 60 s.
 */
const IDLE_TIMEOUT_MS = 5_000;

const disconnected = (client: ServiceBusClient): Promise<string> =>
  new Promise((resolve) => {
    const { connection } = (client as unknown as ClientInternals)._connectionContext;
    connection._connection.local.open.idle_time_out = IDLE_TIMEOUT_MS;
    connection.once("disconnected", ({ error }) => resolve(error?.message ?? "it has ended"));
  });
