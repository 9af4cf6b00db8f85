import { ServiceBusClient, type ServiceBusSender } from "@azure/service-bus";
import { expect } from "vitest";
import { startBroker, type Broker } from "../../../service-bus/broker.ts";
import { fixture, startHost, type RunningHost } from "./running-host.ts";

export const LOCK_MS = 1_000;
export const MAX_DELIVERIES = 4;

/** The queues of the fixture "queues". */
export const queues = ["notes", "binary", "kept", "fails", "waits", "until-told"].map((name) => ({
  name,
  lockDurationMs: name === "until-told" ? 30_000 : LOCK_MS, // long, because the message is settled at the end of a host that may be busy
  maxDeliveryCount: MAX_DELIVERIES,
  timeToLiveMs: Infinity,
  deadLetterOnExpiration: true,
  requiresSession: false,
  duplicateWindowMs: undefined,
}));

export type Message = Parameters<ServiceBusSender["sendMessages"]>[0];

/** A call that a function of the fixture recorded. */
export interface Seen {
  readonly queue: string;
  readonly message: unknown;
  readonly triggerMetadata: Readonly<Record<string, unknown>>;
  readonly traceParent: string;
}

export const connect = ({ connectionString }: Broker): ServiceBusClient =>
  new ServiceBusClient(connectionString, { retryOptions: { retryDelayInMs: 50 } });

/** Starts a broker, a host that uses it, and a client of the broker. */
export async function startAll(options: HowToStop = {}) {
  const broker = await startBroker({ port: 0, queues });
  const host = await startHostOn(broker.connectionString, options);
  const client = connect(broker);
  return {
    host,
    async send(queue: string, message: Message): Promise<void> {
      const sender = client.createSender(queue);
      await sender.sendMessages(message);
      await sender.close();
    },
    /** The messages that wait in a queue or are locked. */
    async messagesIn(queue: string, subQueueType?: "deadLetter") {
      const fresh = connect(broker); // a client's next peek continues after its last one
      const receiver = fresh.createReceiver(queue, subQueueType ? { subQueueType } : {});
      const messages = await receiver.peekMessages(10);
      await fresh.close();
      return messages;
    },
    /** The next message that is not locked. */
    async receive(queue: string) {
      const receiver = client.createReceiver(queue);
      const messages = await receiver.receiveMessages(1, { maxWaitTimeInMs: 20_000 });
      await receiver.close();
      return messages[0];
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await client.close();
      await broker.close();
    },
  };
}

type HowToStop = Pick<NonNullable<Parameters<typeof startHost>[1]>, "azureStop">;

export const startHostOn = (connectionString: string, options: HowToStop = {}): Promise<RunningHost> =>
  startHost(fixture("queues"), {
    ...options,
    env: { BUS: connectionString, NOTES_QUEUE: "notes", APPLICATIONINSIGHTS_CONNECTION_STRING: "there" },
  });

export const stateOf = async ({ url }: RunningHost) =>
  (await (await fetch(`${url}/seen`)).json()) as { seen: Seen[]; running: number; mostAtOnce: number };

/** The calls of a queue's function, as soon as there are at least `count`. */
export async function seenBy(host: RunningHost, queue: string, count: number): Promise<Seen[]> {
  const seen = async () => (await stateOf(host)).seen.filter((entry) => entry.queue === queue);
  await expect.poll(async () => (await seen()).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
  return seen();
}
