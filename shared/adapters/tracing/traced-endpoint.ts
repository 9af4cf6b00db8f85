import type { HttpHandler, HttpResponseInit } from "@azure/functions";
import { SpanKind, type Span } from "@opentelemetry/api";
import { inSpan, markFailed } from "./spans.ts";
import { contextOf, traceparentOf } from "./trace-context.ts";

/** The parts of an endpoint's contract that its spans show. */
export interface TracedContract {
  readonly name: string;
  readonly method: string;
  readonly route: string;
  readonly waitsSeconds: number | undefined;
}

/**
 * Traces an endpoint. Each request is a span that continues its caller's trace. That span is the parent of everything that the request
 * causes. An endpoint that waits has no span. Most polls return nothing, and a message that one returns has a span in its own trace.
 */
export const tracedEndpoint = (
  { name, method, route, waitsSeconds }: TracedContract,
  handler: HttpHandler,
): HttpHandler => {
  if (waitsSeconds !== undefined) return handler;
  const attributes = { "http.request.method": method, "http.route": `/${route}` };
  return (request, invocation) =>
    inSpan({ name, kind: SpanKind.SERVER, attributes }, contextOf(request.headers.get("traceparent")), async (span) => {
      const traceparent = traceparentOf(span);
      if (traceparent !== undefined) request.headers.set("traceparent", traceparent);
      const response: HttpResponseInit = await handler(request, invocation);
      conclude(span, response);
      return response;
    });
};

/** Records the status, and the code of a problem. Only the platform's own errors mark the span as failed. */
function conclude(span: Span, { status = 200, body }: HttpResponseInit): void {
  const code = status >= 400 ? problemIn(body) : undefined;
  span.setAttribute("http.response.status_code", status);
  if (code !== undefined) span.setAttribute("payment.problem", code);
  if (status >= 500) markFailed(span, code ?? String(status));
}

function problemIn(body: unknown): string | undefined {
  const { code } = (typeof body === "string" ? JSON.parse(body) : {}) as { readonly code?: string };
  return code;
}
