import type { InvocationContext, ServiceBusQueueHandler } from "@azure/functions";
import { SpanKind, type Attributes } from "@opentelemetry/api";
import type { QueueName } from "../../ports/queues.ts";
import { fromMessage } from "../../ports/stored-forms.ts";
import { announcementBody } from "../../ports/announcements.ts";
import { bareAlertBody } from "../../ports/bare-alerts.ts";
import { ofAnnouncement, ofBareAlert, ofQueue } from "./messages.ts";
import { inSpan } from "./spans.ts";
import { contextOf } from "./trace-context.ts";

/**
 * Traces a worker. Each run is a span that continues the trace of its message. A redelivery, also after a crash, is another span under the
 * same parent. The message is passed on unchanged.
 */
export const tracedWorker =
  (queue: QueueName, handler: ServiceBusQueueHandler): ServiceBusQueueHandler =>
  (message, invocation) => {
    const { traceparent } = Object(message) as { readonly traceparent?: unknown };
    const attributes = { ...ofQueue(queue, "process"), ...ofDelivery(invocation), ...ofMessage(message) };
    const start = { name: `process ${queue}`, kind: SpanKind.CONSUMER, attributes };
    return inSpan(start, contextOf(traceparent), async () => handler(message, invocation));
  };

/** The attributes of a message. A message that this version cannot read has none, so its span only shows the delivery. */
function ofMessage(received: unknown): Attributes {
  const message = fromMessage(received);
  const announcement = announcementBody.safeParse(message).data;
  if (announcement) return ofAnnouncement(announcement);
  const alert = bareAlertBody.safeParse(message).data;
  return alert ? ofBareAlert(alert) : {};
}

const ofDelivery = ({ triggerMetadata }: InvocationContext): Attributes => ({
  "messaging.servicebus.message.delivery_count": Number(triggerMetadata?.["deliveryCount"]),
});
