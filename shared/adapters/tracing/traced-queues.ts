import { SpanKind, type Attributes, type Span } from "@opentelemetry/api";
import type { QueueName } from "../../ports/queues.ts";
import type { Instant } from "../../domain/time.ts";
import type { QueuePorts } from "../queues/queue-ports.ts";
import { ofAnnouncement, ofBareAlert, ofQueue } from "./messages.ts";
import { inChildSpan } from "./spans.ts";
import { traceparentOf } from "./trace-context.ts";

/**
 * Traces the ports of the queues. Each send is a span. The message carries the context of that span instead of its own, so that its
 * worker's span follows the send. A raw message keeps its bytes.
 */
export const tracedQueues = ({ announcements, bareAlerts, rawMessages }: QueuePorts): QueuePorts => ({
  announcements: {
    send: (queue, announcement, at) =>
      sending(queue, at, ofAnnouncement(announcement), (span) =>
        announcements.send(queue, continuedBy(span, announcement), at),
      ),
  },
  bareAlerts: {
    send: (alert, at) =>
      sending("operator-alerts", at, ofBareAlert(alert), (span) => bareAlerts.send(continuedBy(span, alert), at)),
  },
  rawMessages: {
    send: (queue, message, at) => sending(queue, at, {}, () => rawMessages.send(queue, message, at)),
  },
});

function sending(
  queue: QueueName,
  at: Instant | undefined,
  more: Attributes,
  send: (span: Span | undefined) => Promise<void>,
): Promise<void> {
  const due = at === undefined ? {} : { "payment.due_at": at };
  const attributes = () => ({ ...ofQueue(queue, "send"), ...more, ...due });
  return inChildSpan(() => ({ name: `send ${queue}`, kind: SpanKind.PRODUCER, attributes: attributes() }), send);
}

/** The message with the span's context, if there is one. */
export function continuedBy<Message extends { readonly traceparent?: string | undefined }>(
  span: Span | undefined,
  message: Message,
): Message {
  const traceparent = span && traceparentOf(span);
  return traceparent === undefined ? message : { ...message, traceparent };
}
