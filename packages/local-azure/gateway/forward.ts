import { STATUS_CODES } from "node:http";
import { Agent, errors } from "undici";
import { isReason, PolicyFailure, type Answer, type Call, type Headers } from "./call.ts";
import type { ForwardRequest } from "./policies/forward-request.ts";

/** Sends requests to the backend, over connections that are kept alive. */
export interface Forwarder {
  /** Throws `PolicyFailure` if there is no response. When `signal` aborts, the backend sees that its caller is gone. */
  forward(call: Call, options: ForwardRequest, body: Uint8Array, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** Headers that belong to one connection, and headers that the connection to the backend sets itself. */
const ownOfEachConnection = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * The longest idle time while the response's body arrives. The policy's time-out ends at the response's headers. Azure's load balancer in
 * front of an app cuts off connections that are idle for longer.
 */
const IDLE_MS = 230_000;

export function forwarder(): Forwarder {
  const agent = new Agent();
  return {
    async forward(call, { timeoutMs }, body, signal) {
      const { method, headers } = call.request;
      const { origin, prefix } = backendOf(call);
      const query = call.backend.query === "" ? "" : `?${call.backend.query}`;
      try {
        const response = await agent.request({
          origin,
          path: `${prefix}${call.backend.path}${query}`,
          method,
          headers: Object.fromEntries(passedOn(headers)),
          body: body.byteLength === 0 ? null : body,
          headersTimeout: timeoutMs,
          bodyTimeout: IDLE_MS,
          signal,
        });
        return {
          status: response.statusCode,
          reason: isReason(response.statusText) ? response.statusText : (STATUS_CODES[response.statusCode] ?? ""),
          headers: passedOn(Object.entries(response.headers)),
          body: new Uint8Array(await response.body.arrayBuffer()),
        };
      } catch (error) {
        throw failureOf(error, signal);
      }
    },
    close: () => agent.destroy(),
  };
}

/** The URL that `set-backend-service` chose. The base may have its own path. */
function backendOf({ backend }: Call): { readonly origin: string; readonly prefix: string } {
  if (backend.baseUrl === undefined || !URL.canParse(backend.baseUrl)) {
    throw new PolicyFailure("forward-request", "BackendConnectionFailure", 500, "There is no backend service.");
  }
  const { origin, pathname } = new URL(backend.baseUrl);
  return { origin, prefix: pathname.replace(/\/$/, "") };
}

function passedOn(headers: Iterable<[string, string | string[] | undefined]>): Headers {
  const kept: Headers = new Map();
  for (const [name, value] of headers) {
    if (value !== undefined && !ownOfEachConnection.has(name)) kept.set(name, value);
  }
  return kept;
}

function failureOf(error: unknown, signal: AbortSignal): PolicyFailure {
  if (signal.aborted)
    return new PolicyFailure("forward-request", "ClientConnectionFailure", 499, "The client is gone.");
  if (error instanceof errors.HeadersTimeoutError) {
    return new PolicyFailure("forward-request", "Timeout", 504, "The backend did not answer in time.");
  }
  return new PolicyFailure("forward-request", "BackendConnectionFailure", 500, "The backend could not be reached.");
}
