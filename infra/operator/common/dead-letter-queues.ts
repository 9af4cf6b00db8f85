import {
  isServiceBusError,
  type ServiceBusClient,
  type ServiceBusReceivedMessage,
  type ServiceBusReceiver,
  type ServiceBusSender,
} from "@azure/service-bus";
import { queueOf, retryQueueOf, type QueueName } from "../../../shared/ports/queues.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { busClient } from "../../../shared/queues/bus-client.ts";
import type { Connections } from "./cloud.ts";
import { leave } from "./platform.ts";

/** A message that its queue gave up. */
export interface DeadLetter {
  readonly queue: QueueName;
  /** Its number among the queue's dead letters. */
  readonly sequenceNumber: string;
  readonly enqueuedAt: Instant | undefined;
  readonly deliveries: number;
  /** Why it was buried, in the words of the broker or of the worker. */
  readonly reason: string | undefined;
  readonly description: string | undefined;
  readonly contentType: string | undefined;
  /** The sender's own. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** As it was received: bytes, where it was sent as bytes, as the platform's own messages are. */
  readonly body: unknown;
}

/** The dead letters of the queues. Each method throws `Unavailable` within seconds where the Service Bus does not respond. */
export interface DeadLetters {
  /** The oldest dead letters of a queue, without taking them. */
  list(queue: QueueName, atMost: number): Promise<readonly DeadLetter[]>;
  /**
   * Sends a copy of each of these dead letters to its queue, and then removes the letter: where this process dies in between, the message is
   * there twice, and never lost. The copy has the same body and properties under an identifier of its own, so that no queue takes it for a
   * duplicate. Returns the numbers of the letters that were removed; another one is gone, or locked by another receiver.
   */
  sendAgain(queue: QueueName, sequenceNumbers: readonly string[]): Promise<readonly string[]>;
  /** Removes these dead letters for good. Returns the numbers of those that were removed. */
  remove(queue: QueueName, sequenceNumbers: readonly string[]): Promise<readonly string[]>;
}

/** The platform's queues. */
export const queueNames: readonly QueueName[] = [
  ...new Set<QueueName>([...Object.values(queueOf), ...Object.values(retryQueueOf)]),
];

/** The dead letters of a namespace. */
export const connectDeadLetters = ({ serviceBus }: Pick<Connections, "serviceBus">): DeadLetters =>
  deadLetterQueues(() => busClient(serviceBus, { retryOptions: { maxRetries: 1, retryDelayInMs: 500 } }));

/** The most dead letters of a queue that one command of an operator reads: the oldest. */
export const MOST_LISTED = 1_000;
/** A page of a peek, and the most messages that are received at once. */
const PAGE = 100;
/** How long the queue is waited for to hand out a message that is there. It never comes while another receiver has it. */
const LAST_WAIT_MS = 4_000;
/** Within this time each call has to end. */
const CALL_MS = 5_000;

/** @param connect opens a client for one method: a client goes on peeking where it stopped before */
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
    const page = count > 0 ? await withinTime((abortSignal) => receiver.peekMessages(count, { abortSignal })) : [];
    if (page.length === 0) return found; // a page may be short before the last one
    found.push(...page.map((message) => letterOf(queue, message)));
  }
}

interface Wanted {
  readonly queue: QueueName;
  readonly sequenceNumbers: readonly string[];
}

/**
 * Locks each of the wanted messages that are there, acts on it, and then removes it. A queue hands out its messages in their order, so others are locked
 * beside them; these are given back, as are those of which the act failed.
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
      const received = await withinTime((abortSignal) =>
        receiver.receiveMessages(PAGE, { maxWaitTimeInMs: LAST_WAIT_MS, abortSignal }),
      );
      // A message that comes again was locked before, and its lock has ended: every message was seen.
      const fresh = received.filter((message) => !locked.has(numberOf(message)));
      if (fresh.length === 0) return taken;
      for (const message of fresh) locked.set(numberOf(message), message);
      for (const message of fresh.filter((one) => wanted.has(numberOf(one)))) {
        const number = numberOf(message);
        await act(message);
        await withinTime(() => receiver.completeMessage(message));
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
  await withinTime((abortSignal) => sender.sendMessages(copy, { abortSignal }));
};

/** Gives locked messages back, so that they can be received at once. Where that fails, their locks end by themselves. */
async function giveBack(receiver: ServiceBusReceiver, messages: Iterable<ServiceBusReceivedMessage>): Promise<void> {
  try {
    for (const message of messages) await withinTime(() => receiver.abandonMessage(message));
  } catch {
    return; // what the caller is to see is its own result, or the error before this one
  }
}

/** The client repeats a failed call for minutes; the operator is to see the error within seconds. */
async function withinTime<T>(call: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), CALL_MS);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  late.signal.addEventListener("abort", () => reject(new Error(`no response within ${CALL_MS} ms`)));
  try {
    return await Promise.race([call(late.signal), ended]);
  } catch (error) {
    throw asOurs(error);
  } finally {
    clearTimeout(timer);
  }
}

/** A refusal that no repetition would change is an error of its own, such as a lock that has ended or a right that is missing. */
function asOurs(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (isServiceBusError(error) && !error.retryable && error.code !== "GeneralError")
    return new Error(`The Service Bus refuses: ${error.code}.`, { cause: error });
  return new Unavailable("Service Bus did not respond", { cause: error, dependency: "bus" });
}

const numberOf = ({ sequenceNumber }: ServiceBusReceivedMessage): string => String(sequenceNumber);

const bodyTypeOf = ({ _rawAmqpMessage: { bodyType = "data" } }: ServiceBusReceivedMessage) => bodyType;

/** Without the two that name reason and description: the broker added these. */
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
