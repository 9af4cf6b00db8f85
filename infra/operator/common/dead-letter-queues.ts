import {
  isServiceBusError,
  type ServiceBusClient,
  type ServiceBusReceivedMessage,
  type ServiceBusReceiver,
  type ServiceBusSender,
} from "@azure/service-bus";
import { queueOf, retryQueueOf, type QueueName } from "../../../shared/ports/queues.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import { isOwnMistake, Unavailable } from "../../../shared/ports/failures.ts";
import { busClient } from "../../../shared/adapters/queues/bus-client.ts";
import { withinTime } from "../../../shared/adapters/queues/within-time.ts";
import type { Connections } from "./cloud.ts";
import { leave } from "./platform.ts";

/** A message that its queue moved to the dead letters. */
export interface DeadLetter {
  readonly queue: QueueName;
  /** Its number in the dead-letter queue. */
  readonly sequenceNumber: string;
  readonly enqueuedAt: Instant | undefined;
  readonly deliveries: number;
  /** The reason why it was dead-lettered, from the broker or the worker. */
  readonly reason: string | undefined;
  readonly description: string | undefined;
  readonly contentType: string | undefined;
  /** The sender's own properties. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The body as received. It is bytes if it was sent as bytes, as the platform's own messages are. */
  readonly body: unknown;
}

/** The dead letters of the queues. Each method throws `Unavailable` within seconds if the Service Bus does not respond. */
export interface DeadLetters {
  /** The oldest dead letters of a queue. They stay in the queue. */
  list(queue: QueueName, atMost: number): Promise<readonly DeadLetter[]>;
  /**
   * Sends a copy of each of these dead letters to its queue, and then removes the letter. If this process ends in between, the message is
   * duplicated, but never lost. The copy has the same body and properties, but a new identifier, so that a queue does not drop it as a
   * duplicate. Returns the numbers of the removed letters. The other letters are gone, or another receiver has locked them.
   */
  sendAgain(queue: QueueName, sequenceNumbers: readonly string[]): Promise<readonly string[]>;
  /** Removes these dead letters permanently. Returns the numbers of the removed letters. */
  remove(queue: QueueName, sequenceNumbers: readonly string[]): Promise<readonly string[]>;
}

/** The platform's queues. */
export const queueNames: readonly QueueName[] = [
  ...new Set<QueueName>([...Object.values(queueOf), ...Object.values(retryQueueOf)]),
];

/** The dead letters of a namespace. */
export const connectDeadLetters = ({ serviceBus }: Pick<Connections, "serviceBus">): DeadLetters =>
  deadLetterQueues(() => busClient(serviceBus, { retryOptions: { maxRetries: 1, retryDelayInMs: 500 } }));

/** The most dead letters of a queue that one command reads. It reads the oldest. */
export const MOST_LISTED = 1_000;
/** The size of a peeked page, and the most messages to receive at once. */
const PAGE = 100;
/** How long to wait until the queue hands out an existing message. It does not arrive while another receiver has locked it. */
const LAST_WAIT_MS = 4_000;
/** The time limit of each call. */
const CALL_MS = 5_000;

/** @param connect opens a new client for each method, because a client's next peek continues after its last one */
export function deadLetterQueues(connect: () => ServiceBusClient): DeadLetters {
  const connected = async <T>(act: (bus: ServiceBusClient) => Promise<T>): Promise<T> => {
    const bus = connect();
    try {
      return await act(bus);
    } finally {
      await leave(bus);
    }
  };
  return {
    list: (queue, atMost) => connected((bus) => peek(receiverOf(bus, queue), queue, atMost)),
    sendAgain: (queue, sequenceNumbers) =>
      connected((bus) => {
        const sender = bus.createSender(queue);
        return take(receiverOf(bus, queue), { queue, sequenceNumbers }, (message) => sendCopy(sender, message));
      }),
    remove: (queue, sequenceNumbers) =>
      connected((bus) => take(receiverOf(bus, queue), { queue, sequenceNumbers }, () => Promise.resolve())),
  };
}

const receiverOf = (bus: ServiceBusClient, queue: QueueName): ServiceBusReceiver =>
  bus.createReceiver(queue, { subQueueType: "deadLetter", skipParsingBodyAsJson: true });

async function peek(receiver: ServiceBusReceiver, queue: QueueName, atMost: number): Promise<readonly DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (;;) {
    const count = Math.min(PAGE, atMost - found.length);
    const page = count > 0 ? await inSeconds(receiver.peekMessages(count)) : [];
    if (page.length === 0) return found; // a page before the last one may be short
    found.push(...page.map((message) => letterOf(queue, message)));
  }
}

interface Wanted {
  readonly queue: QueueName;
  readonly sequenceNumbers: readonly string[];
}

/**
 * Locks each of the wanted messages that exist, acts on it, and then removes it. A queue hands out its messages in order, so other messages
 * are locked too. These are released, and so are the messages whose act failed.
 */
async function take(
  receiver: ServiceBusReceiver,
  { queue, sequenceNumbers }: Wanted,
  act: (message: ServiceBusReceivedMessage) => Promise<void>,
): Promise<readonly string[]> {
  const there = new Set((await peek(receiver, queue, MOST_LISTED)).map(({ sequenceNumber }) => sequenceNumber));
  const wanted = new Set(sequenceNumbers.filter((number) => there.has(number)));
  const locked = new Map<string, ServiceBusReceivedMessage>();
  const taken: string[] = [];
  try {
    while (wanted.size > 0) {
      const received = await inSeconds(receiver.receiveMessages(PAGE, { maxWaitTimeInMs: LAST_WAIT_MS }));
      // If a message comes again, its earlier lock has ended, and every message was seen.
      const fresh = received.filter((message) => !locked.has(numberOf(message)));
      if (fresh.length === 0) return taken;
      for (const message of fresh) locked.set(numberOf(message), message);
      for (const message of fresh.filter((one) => wanted.has(numberOf(one)))) {
        const number = numberOf(message);
        await act(message);
        await inSeconds(receiver.completeMessage(message));
        wanted.delete(number);
        locked.delete(number);
        taken.push(number);
      }
    }
    return taken;
  } finally {
    await giveBack(receiver, locked.values());
  }
}

const sendCopy = async (sender: ServiceBusSender, message: ServiceBusReceivedMessage): Promise<void> => {
  const { contentType } = message;
  const copy = {
    body: message.body as unknown,
    bodyType: bodyTypeOf(message),
    applicationProperties: ownProperties(message),
    ...(contentType !== undefined && { properties: { contentType } }),
  };
  await inSeconds(sender.sendMessages(copy));
};

/** Releases locked messages, so that they can be received at once. If this fails, their locks expire. */
async function giveBack(receiver: ServiceBusReceiver, messages: Iterable<ServiceBusReceivedMessage>): Promise<void> {
  try {
    for (const message of messages) await inSeconds(receiver.abandonMessage(message));
  } catch {
    return; // the caller must see its own result, or the earlier error
  }
}

/** Limits the time of a call. The client retries a failed call for minutes, but the operator must see the error within seconds. */
async function inSeconds<T>(call: Promise<T>): Promise<T> {
  try {
    return await withinTime(call, CALL_MS);
  } catch (error) {
    throw asOurs(error);
  }
}

/** Converts an error. A rejection that no retry would change, such as an expired lock or a missing right, is not `Unavailable`. */
function asOurs(error: unknown): unknown {
  if (isOwnMistake(error)) return error;
  if (isServiceBusError(error) && !error.retryable && error.code !== "GeneralError")
    return new Error(`The Service Bus rejected the request: ${error.code}.`, { cause: error });
  return new Unavailable("Service Bus did not respond", { cause: error, dependency: "bus" });
}

const numberOf = ({ sequenceNumber }: ServiceBusReceivedMessage): string => String(sequenceNumber);

const bodyTypeOf = ({ _rawAmqpMessage: { bodyType = "data" } }: ServiceBusReceivedMessage) => bodyType;

/** The properties without those of reason and description, which the broker adds. */
function ownProperties({ applicationProperties = {} }: ServiceBusReceivedMessage): DeadLetter["properties"] {
  const { DeadLetterReason: _, DeadLetterErrorDescription: __, ...own } = applicationProperties;
  return own;
}

const letterOf = (queue: QueueName, message: ServiceBusReceivedMessage): DeadLetter => ({
  queue,
  sequenceNumber: numberOf(message),
  enqueuedAt: message.enqueuedTimeUtc?.toISOString(),
  deliveries: message.deliveryCount ?? 0,
  reason: message.deadLetterReason,
  description: message.deadLetterErrorDescription,
  contentType: message.contentType,
  properties: ownProperties(message),
  body: message.body as unknown,
});
