import { context, SpanKind, SpanStatusCode, trace, type Attributes } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
  type TracerProviderOptions,
} from "@opentelemetry/sdk-trace";
import { afterEach, beforeEach } from "vitest";
import { inSpan } from "../../../shared/adapters/tracing/spans.ts";
import { contextOf } from "../../../shared/adapters/tracing/trace-context.ts";

export const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
export const PARENT_ID = "00f067aa0ba902b7";
export const TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`;

/** A span as tests compare it. */
export interface Recorded {
  readonly name: string;
  readonly kind: string;
  readonly traceparent: string;
  readonly traceId: string;
  readonly parentId: string | undefined;
  readonly attributes: Attributes;
  readonly events: readonly string[];
  readonly failed: boolean;
}

/** Registers the SDK for each test of a file, with an exporter in memory. Returns the spans that have ended. */
export function recordSpans(options: TracerProviderOptions = {}): () => readonly Recorded[] {
  let exporter: InMemorySpanExporter;
  beforeEach(() => {
    exporter = new InMemorySpanExporter();
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(
      new TracerProvider({ ...options, spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
    );
  });
  afterEach(() => {
    trace.disable();
    context.disable();
  });
  return () => exporter.getFinishedSpans().map(recorded);
}

/** Finds the first of the spans with a name, which must exist, and the identifier of the span that `inATrace` makes. */
export const among = (spans: () => readonly Recorded[]) => {
  const named = (name: string): Recorded => {
    const found = spans().find((span) => span.name === name);
    if (found) return found;
    const names = spans().map((span) => span.name);
    throw new Error(`no span ${name} among ${names.join(", ")}`);
  };
  return { named, outer: () => named("outer").traceparent.split("-")[2] };
};

function recorded(span: ReadableSpan): Recorded {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    name: span.name,
    kind: SpanKind[span.kind].toLowerCase(),
    traceparent: `00-${traceId}-${spanId}-0${traceFlags}`,
    traceId,
    parentId: span.parentSpanContext?.spanId,
    attributes: span.attributes,
    events: span.events.map(({ name }) => name),
    failed: span.status.code === SpanStatusCode.ERROR,
  };
}

/** Runs the work as a worker or an endpoint would: in a span of the trace of `TRACEPARENT`. */
export const inATrace = <Result>(work: () => Promise<Result>): Promise<Result> =>
  inSpan({ name: "outer", kind: SpanKind.INTERNAL, attributes: {} }, contextOf(TRACEPARENT), work);
