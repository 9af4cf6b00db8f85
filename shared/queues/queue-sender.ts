import {
  isServiceBusError,
  type ServiceBusClient,
  type ServiceBusMessage,
  type ServiceBusSender,
} from "@azure/service-bus";
import type { QueueName } from "../ports/queues.ts";
import { oldestVersion, toMessage } from "../ports/stored-forms.ts";
import type { Instant } from "../domain/time.ts";
import type { Announcement } from "../ports/announcements.ts";
import type { BareAlert } from "../ports/bare-alerts.ts";
import { Unavailable } from "../ports/failures.ts";
import type { RawMessages } from "../ports/raw-messages.ts";

/** Sends now, or schedules for `at`. Both throw `Unavailable`; the queue may have taken the message nevertheless. */
export interface Senders {
  /** Sends a message as JSON. */
  readonly send: (queue: QueueName, body: Announcement | BareAlert, at?: Instant) => Promise<void>;
  readonly sendRaw: RawMessages["send"];
}

export interface OpenableSenders extends Senders {
  /** Connects, and opens a link to each queue, which the first send would otherwise wait for. Rejects where one cannot be opened. */
  readonly open: (queues: readonly QueueName[]) => Promise<void>;
}

/**
 * Time-out of one send. A request to an endpoint gives its dependencies three seconds in all; one send gets less, so that the endpoint can
 * still respond.
 */
export const SEND_TIMEOUT_MS = 2_500;

/** Sends messages to Service Bus, in the form of a version. Consumers are idempotent, so a send that the client repeats does no harm. */
export function queueSender(client: ServiceBusClient, writeVersion = oldestVersion): OpenableSenders {
  const senders = new Map<QueueName, ServiceBusSender>();
  const senderFor = (queue: QueueName): ServiceBusSender => {
    const sender = senders.get(queue) ?? client.createSender(queue);
    senders.set(queue, sender);
    return sender;
  };
  const sendMessage = async (queue: QueueName, message: ServiceBusMessage, at: Instant | undefined): Promise<void> => {
    const due = at === undefined ? {} : { scheduledEnqueueTimeUtc: new Date(at) };
    try {
      await senderFor(queue).sendMessages(
        { ...message, ...due },
        { abortSignal: AbortSignal.timeout(SEND_TIMEOUT_MS) },
      );
    } catch (error) {
      if (isOurs(error)) throw error;
      throw new Unavailable(`Service Bus did not take a message for ${queue}`, { cause: error, dependency: "bus" });
    }
  };
  return {
    async open(queues) {
      const abortSignal = AbortSignal.timeout(SEND_TIMEOUT_MS);
      // The size that a batch may have is the link's own, so the link is opened for it.
      await Promise.all(queues.map((queue) => senderFor(queue).createMessageBatch({ abortSignal })));
    },
    send: (queue, body, at) =>
      sendMessage(queue, { body: toMessage(body, writeVersion), contentType: "application/json" }, at),
    sendRaw: (queue, { body, contentType, properties }, at) =>
      sendMessage(
        queue,
        {
          body: Buffer.from(body), // the client sends bytes as they are, and anything else as JSON
          applicationProperties: { ...properties },
          ...(contentType !== undefined && { contentType }),
        },
        at,
      ),
  };
}

/**
 * Whether an error of a send is one in the platform itself: a message that no queue would ever take, or an error that never left this
 * process. Any other error is passing. After more than one attempt the client wraps the error of each.
 */
function isOurs(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOurs);
  if (isServiceBusError(error)) return error.code === "MessageSizeExceeded";
  return error instanceof TypeError || error instanceof RangeError;
}
