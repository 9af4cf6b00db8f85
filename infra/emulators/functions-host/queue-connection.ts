import { ServiceBusClient, type ServiceBusReceiver, type TokenCredential } from "@azure/service-bus";

/** How the queues are reached: by a connection string, or at a namespace with the app's identity. */
export type BusConnection = string | IdentityConnection;

export interface IdentityConnection {
  readonly fullyQualifiedNamespace: string;
  /** Of the user-assigned identity; the system-assigned one where it is left out. */
  readonly clientId: string | undefined;
  /** Whether the setting `__credential` excludes every other identity of the process. */
  readonly managedIdentityOnly: boolean;
}

/** A connection to the broker for one queue, and what belongs to it. */
export interface QueueConnection {
  readonly receiver: ServiceBusReceiver;
  /** Resolves with the reason when the connection is lost or could not be made. It is never restored. */
  readonly lost: Promise<string>;
  /** Never rejects. On a lost connection it may take a minute, and no caller has to wait for it. */
  close(): Promise<void>;
}

/**
 * Opens a connection of its own, which is discarded with its client. The client can restore a connection, but not always: when it is lost
 * while a message is settled or its lock renewed, the client first waits for responses that cannot come.
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
    // The body and the dates reach the function in the extension's format, not in this client's.
    skipParsingBodyAsJson: true,
    skipConvertingDate: true,
  });
  return {
    receiver,
    lost: disconnected(client),
    async close() {
      // Both at once: each marks itself as closed before it waits for the broker.
      await Promise.allSettled([receiver.close(), client.close()]);
    },
  };
}

async function clientOf(connection: BusConnection): Promise<ServiceBusClient> {
  const options = { retryOptions: { retryDelayInMs: 500 } };
  if (typeof connection === "string") return new ServiceBusClient(connection, options);
  return new ServiceBusClient(connection.fullyQualifiedNamespace, await credentialOf(connection), options);
}

/** The credentials of the extension: they are loaded where a connection needs them, since the package is large. */
async function credentialOf({ clientId, managedIdentityOnly }: IdentityConnection): Promise<TokenCredential> {
  const { DefaultAzureCredential, ManagedIdentityCredential } = await import("@azure/identity");
  if (managedIdentityOnly) return new ManagedIdentityCredential(clientId === undefined ? {} : { clientId });
  return new DefaultAzureCredential(clientId === undefined ? {} : { managedIdentityClientId: clientId });
}

/** The client does not expose its connection (checked with 7.9.5) and has no event for its loss. */
interface ClientInternals {
  readonly _connectionContext: {
    readonly connection: {
      once(event: "disconnected", listener: (context: { readonly error?: Error }) => void): void;
    };
  };
}

const disconnected = (client: ServiceBusClient): Promise<string> =>
  new Promise((resolve) => {
    const { connection } = (client as unknown as ClientInternals)._connectionContext;
    connection.once("disconnected", ({ error }) => resolve(error?.message ?? "the broker ended it"));
  });
