import {
  isServiceBusError,
  type ServiceBusClient,
  type ServiceBusMessage,
  type ServiceBusSender,
} from "@azure/service-bus";
import type { QueueName } from "../../ports/queues.ts";
import { oldestVersion, toMessage } from "../../ports/stored-forms.ts";
import type { Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { BareAlert } from "../../ports/bare-alerts.ts";
import { isOwnMistake, Unavailable } from "../../ports/failures.ts";
import type { RawMessages } from "../../ports/raw-messages.ts";
import type { Bus } from "./replaced-bus.ts";
import { CallTimedOut, withinTime } from "./within-time.ts";

/** Sends now, or schedules for `at`. Both throw `Unavailable`. The queue may have accepted the message nevertheless. */
export interface Senders {
  /** Sends a message as JSON. */
  readonly send: (queue: QueueName, body: Announcement | BareAlert, at?: Instant) => Promise<void>;
  readonly sendRaw: RawMessages["send"];
}

export interface OpenableSenders extends Senders {
  /** Connects, and opens a link to each queue, so that the first send does not wait for it. Rejects if a link cannot be opened. */
  readonly open: (queues: readonly QueueName[]) => Promise<void>;
}

/**
 * Time-out of one send. A request to an endpoint gives its dependencies three seconds in total. One send gets less, so that the endpoint
 * can still respond.
 */
export const SEND_TIMEOUT_MS = 2_500;

/**
 * Sends messages to Service Bus in the form of `writeVersion`. Consumers are idempotent, so it is safe that the client retries a send, and
 * that a caller repeats one that got no answer.
 */
export function queueSender(bus: Bus, writeVersion = oldestVersion): OpenableSenders {
  const sendersOf = new WeakMap<ServiceBusClient, Map<QueueName, ServiceBusSender>>();
  const senderFor = (client: ServiceBusClient, queue: QueueName): ServiceBusSender => {
    const senders = sendersOf.get(client) ?? new Map<QueueName, ServiceBusSender>();
    sendersOf.set(client, senders);
    const sender = senders.get(queue) ?? client.createSender(queue);
    senders.set(queue, sender);
    return sender;
  };
  const sendMessage = async (queue: QueueName, message: ServiceBusMessage, at: Instant | undefined): Promise<void> => {
    const due = at === undefined ? {} : { scheduledEnqueueTimeUtc: new Date(at) };
    const client = bus.client();
    try {
      await withinTime(senderFor(client, queue).sendMessages({ ...message, ...due }), SEND_TIMEOUT_MS);
      bus.sent(client, true);
    } catch (error) {
      if (isOurs(error)) throw error;
      bus.sent(client, !isUnanswered(error));
      throw new Unavailable(`Service Bus did not take a message for ${queue}`, { cause: error, dependency: "bus" });
    }
  };
  return {
    async open(queues) {
      // Creating a batch opens the link, because the link knows how large a batch may be.
      const batches = Promise.all(queues.map((queue) => senderFor(bus.client(), queue).createMessageBatch()));
      await withinTime(batches, SEND_TIMEOUT_MS);
    },
    send: (queue, body, at) =>
      sendMessage(queue, { body: toMessage(body, writeVersion), contentType: "application/json" }, at),
    sendRaw: (queue, { body, contentType, properties }, at) =>
      sendMessage(
        queue,
        {
          body: Buffer.from(body), // the client sends bytes unchanged, and anything else as JSON
          applicationProperties: { ...properties },
          ...(contentType !== undefined && { contentType }),
        },
        at,
      ),
  };
}

/**
 * Whether the platform itself caused the failure of a send: the message is too large for any queue, or the error arose in this process. Any
 * other error is temporary. After several attempts, the client wraps the error of each attempt.
 */
function isOurs(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOurs);
  if (isServiceBusError(error)) return error.code === "MessageSizeExceeded";
  return isOwnMistake(error);
}

/**
 * Whether nothing came back in any attempt, until the client's time-out or ours. A refusal, and a connection that fails visibly, are
 * different: the client connects anew by itself.
 */
function isUnanswered(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnanswered);
  if (isServiceBusError(error)) return error.code === "ServiceTimeout";
  return error instanceof CallTimedOut;
}
