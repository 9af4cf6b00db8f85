import {
  context,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanKind,
} from "@opentelemetry/api";
import { Conflict } from "../../ports/failures.ts";

interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

const SCOPE = "terminal-payments";

/** The tracer of the SDK. Before the SDK is loaded, its spans record nothing. */
export const tracer = () => trace.getTracer(SCOPE);

/** Runs the work in a new span under `parent`, and ends the span with it. An error of the work is recorded on the span and rethrown. */
export async function inSpan<Result>(
  { name, kind, attributes }: SpanStart,
  parent: Context,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = tracer().startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Runs the work in a new span under the active one. Without an active span, the work runs without a span. A long poll and all its calls
 * therefore have no spans.
 */
export function inChildSpan<Result>(
  start: () => SpanStart,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  return trace.getActiveSpan() ? inSpan(start(), context.active(), work) : work(undefined);
}

/**
 * Records an error on the span by its class. The message is left out, because it may repeat the input of a dependency or a caller. A
 * conflict is an outcome and not an error: another writer was first.
 */
function fail(span: Span, error: unknown): void {
  if (error instanceof Conflict) return void span.setAttribute("payment.outcome", "conflict");
  markFailed(span, error instanceof Error ? error.name : typeof error);
}

/** Marks the span as failed, with the name or code of the error. */
export function markFailed(span: Span, errorType: string): void {
  span.setAttribute("error.type", errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
