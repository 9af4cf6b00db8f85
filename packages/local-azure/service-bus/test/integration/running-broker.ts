import {
  ServiceBusClient,
  type ServiceBusClientOptions,
  type ServiceBusReceivedMessage,
  type ServiceBusReceiver,
  type ServiceBusSender,
} from "@azure/service-bus";
import { newFaults } from "../../../faults/faults.ts";
import type { Fault, FaultInput } from "../../../faults/rule.ts";
import { startBroker, type Broker, type BrokerOptions } from "../../broker.ts";
import type { QueueDeclaration } from "../../config.ts";
import { aDeclaration } from "../unit/a-queue.ts";
import { manualClock, type ManualClock } from "../unit/manual-clock.ts";

/** A broker in this process with one queue, its clock, and the official client. */
export interface RunningBroker extends AsyncDisposable {
  readonly broker: Broker;
  readonly client: ServiceBusClient;
  /** Starts at the real time, because clients compare it with theirs. It moves only by hand. */
  readonly clock: ManualClock;
  readonly sender: ServiceBusSender;
  /** Peek-lock, without automatic lock renewal. */
  readonly receiver: ServiceBusReceiver;
  readonly deadLetters: ServiceBusReceiver;
  /** Has queues show a fault until `recover`. Default: the queue that the test uses. */
  show(wish: Wish, target?: Fault["target"]): void;
  /** Removes all faults. */
  recover(): void;
}

/** A fault without its duration. */
type Wish = FaultInput extends infer One ? (One extends unknown ? Omit<One, "seconds"> : never) : never;

export const queueName = "orders";

const quickRetries: ServiceBusClientOptions = { retryOptions: { retryDelayInMs: 100, timeoutInMs: 5_000 } };

export async function runningBroker(
  queue: Partial<QueueDeclaration> = {},
  options: Partial<BrokerOptions> = {},
): Promise<RunningBroker> {
  const clock = manualClock(Date.now());
  const complaints: unknown[] = [];
  const faults = newFaults(Date.now);
  const broker = await startBroker({
    port: 0,
    queues: [aDeclaration({ name: queueName, ...queue })],
    clock,
    faults,
    onFault: (fault) => complaints.push(fault),
    ...options,
  });
  const client = new ServiceBusClient(broker.connectionString, quickRetries);
  return {
    broker,
    client,
    clock,
    sender: client.createSender(queueName),
    receiver: client.createReceiver(queueName, { maxAutoLockRenewalDurationInMs: 0 }),
    deadLetters: client.createReceiver(queueName, { subQueueType: "deadLetter", maxAutoLockRenewalDurationInMs: 0 }),
    show: (wish, target = { queue: queueName }) => {
      faults.set(target, { ...wish, seconds: 600 });
      broker.faultsChanged();
    },
    recover: () => {
      faults.clear();
      broker.faultsChanged();
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await broker.close();
      if (complaints.length > 0) throw new AggregateError(complaints, "the broker reported faults");
    },
  };
}

/** The next message. Throws if none comes. */
export async function next(receiver: ServiceBusReceiver): Promise<ServiceBusReceivedMessage> {
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 5_000 });
  if (!message) throw new Error("no message came");
  return message;
}

/** The bodies of the messages that can be received now. */
export const receivable = async (receiver: ServiceBusReceiver): Promise<unknown[]> =>
  (await receiver.receiveMessages(10, { maxWaitTimeInMs: 100 })).map(({ body }) => body as unknown);

/** The bodies of the queue's messages, in any state. A client continues to peek where it stopped, so each call uses a new client. */
export async function remaining({ broker }: RunningBroker): Promise<unknown[]> {
  const client = new ServiceBusClient(broker.connectionString, quickRetries);
  try {
    return bodies(await client.createReceiver(queueName).peekMessages(10));
  } finally {
    await client.close();
  }
}

/** The message's sequence number. Throws if it has none. */
export function sequenceNumberOf(message: ServiceBusReceivedMessage | undefined): SequenceNumber {
  if (!message?.sequenceNumber) throw new Error("a message without a sequence number");
  return message.sequenceNumber;
}
export type SequenceNumber = NonNullable<ServiceBusReceivedMessage["sequenceNumber"]>;

export const bodies = (messages: readonly ServiceBusReceivedMessage[]): unknown[] =>
  messages.map(({ body }) => body as unknown);

/** Receives the next message and defers it. */
export async function deferNext({ receiver }: RunningBroker): Promise<SequenceNumber> {
  const message = await next(receiver);
  await receiver.deferMessage(message, { why: "not yet" });
  return sequenceNumberOf(message);
}
