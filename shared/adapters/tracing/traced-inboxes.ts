import { SpanKind, trace } from "@opentelemetry/api";
import type { Inboxes, InboxRow, NewMessage } from "../../stores/inboxes.ts";
import { identifiersIn } from "./identifiers.ts";
import { tracer } from "./spans.ts";
import { contextOf } from "./trace-context.ts";
import { continuedBy } from "./traced-queues.ts";

/**
 * Traces inboxes. A filed message carries the context of the worker's span to its terminal. Handing out a message is one span in that
 * trace, because its poll has no span.
 */
export const tracedInboxes = (inboxes: Inboxes): Inboxes => ({
  ...inboxes,
  file: (terminalId, message) => inboxes.file(terminalId, continued(message)),
  async lease(terminalId, row, until) {
    const startTime = Date.now();
    await inboxes.lease(terminalId, row, until);
    handedOut(terminalId, row, startTime);
  },
});

const continued = (message: NewMessage): NewMessage => continuedBy(trace.getActiveSpan(), message);

function handedOut(terminalId: string, { messageId, slot, message, traceparent }: InboxRow, startTime: number): void {
  const attributes = {
    ...identifiersIn({ terminalId, sessionId: slot.sessionId }),
    "payment.command_id": messageId, // a message has the identifier of its command
    "payment.message": message.type,
  };
  const start = { kind: SpanKind.SERVER, attributes, startTime };
  if (traceparent !== undefined) tracer().startSpan("next-message", start, contextOf(traceparent)).end();
}
