import { isSpanContextValid, ROOT_CONTEXT, trace, TraceFlags, type Context, type Span } from "@opentelemetry/api";

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * The context in which a W3C `traceparent` is the parent of the next span. If it is absent or malformed, the root context: the next span
 * begins a trace. `tracestate` is dropped.
 */
export function contextOf(traceparent: unknown): Context {
  const [, traceId = "", spanId = "", flags = ""] =
    (typeof traceparent === "string" ? TRACEPARENT.exec(traceparent) : undefined) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** The span's W3C `traceparent`, to be passed on. Undefined for a span without an identity. Before the SDK is loaded, no span has one. */
export function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) === 0 ? "00" : "01";
  return isSpanContextValid({ traceId, spanId, traceFlags }) ? `00-${traceId}-${spanId}-${sampled}` : undefined;
}
