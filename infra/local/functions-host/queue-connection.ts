import { ServiceBusClient, type ServiceBusReceiver } from "@azure/service-bus";

/** A connection to the broker for one queue, and all that hangs on it. */
export interface QueueConnection {
  readonly receiver: ServiceBusReceiver;
  /** Resolves with the reason when the connection is gone or could not be made; it does not come back. */
  readonly lost: Promise<string>;
  /** Never rejects. On a lost connection it may take a minute: nobody need wait for it. */
  close(): Promise<void>;
}

/**
 * Opens a connection of its own. The client can restore one by itself, but not always: when the connection goes while a message is
 * settled or its lock renewed, the client first waits for answers that cannot come. So a client is thrown away with its connection.
 */
export function connectToQueue(
  connectionString: string,
  queueName: string,
  options: { readonly maxAutoLockRenewalMs: number },
): QueueConnection {
  const client = new ServiceBusClient(connectionString, { retryOptions: { retryDelayInMs: 500 } });
  const receiver = client.createReceiver(queueName, {
    receiveMode: "peekLock",
    maxAutoLockRenewalDurationInMs: options.maxAutoLockRenewalMs,
    // The body and the dates reach the function in the extension's spelling, not in this client's.
    skipParsingBodyAsJson: true,
    skipConvertingDate: true,
  });
  return {
    receiver,
    lost: disconnected(client),
    async close() {
      // Both at once: each marks itself closed before it waits for the broker.
      await Promise.allSettled([receiver.close(), client.close()]);
    },
  };
}

/** The client keeps its connection to itself (checked with 7.9.5) and has no event for its loss. */
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
