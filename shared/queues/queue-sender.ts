import { isServiceBusError, type ServiceBusClient, type ServiceBusSender } from "@azure/service-bus";
import type { QueueName } from "../domain/effects.ts";
import type { Instant } from "../domain/time.ts";
import type { Announcement } from "../ports/announcements.ts";
import type { BareAlert } from "../ports/bare-alerts.ts";
import { Unavailable } from "../ports/failures.ts";

/** Sends a JSON message to a queue, at once or `at` a moment. Throws `Unavailable`; the message may have been taken all the same. */
export type Send = (queue: QueueName, body: Announcement | BareAlert, at?: Instant) => Promise<void>;

/** HTTP paths give a dependency three seconds in all; one send gets less, so that a caller can still answer. */
const SEND_TIMEOUT_MS = 2_500;

/** Messages on Service Bus. Consumers are idempotent: a send that is repeated by the client does no harm. */
export function queueSender(client: ServiceBusClient): Send {
  const senders = new Map<QueueName, ServiceBusSender>();
  const senderFor = (queue: QueueName): ServiceBusSender => {
    const sender = senders.get(queue) ?? client.createSender(queue);
    senders.set(queue, sender);
    return sender;
  };
  return async (queue, body, at) => {
    try {
      await senderFor(queue).sendMessages(
        {
          body,
          contentType: "application/json",
          ...(at !== undefined && { scheduledEnqueueTimeUtc: new Date(at) }),
        },
        { abortSignal: AbortSignal.timeout(SEND_TIMEOUT_MS) },
      );
    } catch (error) {
      if (isOurs(error)) throw error;
      throw new Unavailable(`Service Bus did not take a message for ${queue}`, { cause: error, dependency: "bus" });
    }
  };
}

/**
 * Whatever a send throws is passing, unless it is proven to be a mistake of ours: a message that no queue would ever take, or an error that
 * never left this process. After more than one attempt the client wraps what each threw.
 */
function isOurs(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOurs);
  if (isServiceBusError(error)) return error.code === "MessageSizeExceeded";
  return error instanceof TypeError || error instanceof RangeError;
}
