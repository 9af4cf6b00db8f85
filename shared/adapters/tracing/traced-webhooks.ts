import { SpanKind, type Attributes, type Span } from "@opentelemetry/api";
import type { WebhookRequest, WebhookResponse, Webhooks } from "../../ports/webhooks.ts";
import { identifiersIn } from "./identifiers.ts";
import { inChildSpan, markFailed } from "./spans.ts";
import { continuedBy } from "./traced-queues.ts";

/** Traces webhooks. Each attempt is a span, and the partner's server gets the context of that span. */
export const tracedWebhooks = (webhooks: Webhooks): Webhooks => ({
  ...webhooks,
  send: (request) =>
    inChildSpan(
      () => ({ name: "webhook attempt", kind: SpanKind.CLIENT, attributes: ofAttempt(request) }),
      async (span) => {
        const response = await webhooks.send(continuedBy(span, request));
        if (span) conclude(span, response);
        return response;
      },
    ),
});

/** The attributes of an attempt. Only the host of the address is shown, because a path or a query may hold a partner's secret. */
function ofAttempt({ partnerId, id, url }: WebhookRequest): Attributes {
  const { hostname, port, protocol } = URL.parse(url) ?? {};
  return {
    ...identifiersIn({ partnerId }),
    "payment.event_id": id,
    "http.request.method": "POST",
    "server.address": hostname,
    "server.port": Number(port || (protocol === "http:" ? 80 : 443)),
  };
}

function conclude(span: Span, response: WebhookResponse | "postponed"): void {
  if (response === "postponed") return void span.setAttribute("payment.outcome", response);
  span.setAttribute("payment.outcome", response.kind);
  if (response.status !== undefined) span.setAttribute("http.response.status_code", response.status);
  if (response.kind !== "delivered") markFailed(span, response.kind === "failed" ? response.reason : response.kind);
}
