import { randomBytes } from "node:crypto";
import type { TraceContext } from "./worker-protocol.ts";

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** A new span for an invocation. It is in the caller's W3C trace if the caller sent one, otherwise in a new trace. */
export function spanOf(traceparent: unknown, tracestate = ""): TraceContext {
  const [, traceId, flags] = (typeof traceparent === "string" ? TRACEPARENT.exec(traceparent) : undefined) ?? [];
  const spanId = randomBytes(8).toString("hex");
  return {
    traceParent: `00-${traceId ?? randomBytes(16).toString("hex")}-${spanId}-${flags ?? "00"}`,
    traceState: traceId ? tracestate : "",
    attributes: {},
  };
}
