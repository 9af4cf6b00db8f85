import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";

// The limits of the local substitutes for Azure's servers: how large and how slow a request may be.

/** How long a caller may take, in milliseconds. */
export interface Patience {
  /** For the head of a request. */
  readonly headMs: number;
  /** For the whole request. The response may take longer: a poll waits. */
  readonly requestMs: number;
}

/** The default limits. 64 KiB in twenty seconds are 26 kbit/s, which every shop's network has. Node's own limits are 60 and 300 seconds. */
const standard: Patience = { headMs: 10_000, requestMs: 20_000 };

/** How long a connection is kept without a request: as long as Kestrel does. Node's five seconds often end while a caller reuses it. */
const IDLE_MS = 130_000;

/** A server that cuts off slower callers, with 408 if no response has begun. It checks them at least every second. */
export const boundedServer = (
  listener: RequestListener,
  { headMs, requestMs } = standard,
  /** The most bytes of a request's line and headers; more is 431. If left out, Node's own limit. */
  maxHeaderSize?: number,
): Server =>
  createServer(
    {
      maxHeaderSize,
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: Math.min(1_000, headMs, requestMs),
    },
    listener,
  );

/**
 * Reads a body of at most `maxBytes`. Undefined if the body is longer. The first byte beyond the limit ends the reading, so that memory
 * does not grow with the body. Throws if the caller disconnects before its body is complete.
 */
export async function readWithin(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const read = chunk as Uint8Array;
    bytes += read.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(read);
  }
  return Buffer.concat(chunks);
}

/**
 * How much is still read after the response to an unfinished upload, and for how long. So a caller that sends its whole body before it
 * reads also gets the response.
 */
const LINGER_BYTES = 256 * 1024;
const LINGER_MS = 1_000;

/**
 * Sends a response whose status and headers are set. If the request's body was not read to the end, this closes the connection afterwards,
 * so that no upload continues without a reader.
 */
export function endAnswer(request: IncomingMessage, response: ServerResponse, body: string | Uint8Array = ""): void {
  if (!isUnread(request)) return void response.end(body);
  const content = Buffer.from(body);
  response.setHeader("connection", "close");
  if (content.byteLength > 0 && !response.hasHeader("transfer-encoding"))
    response.setHeader("content-length", content.byteLength);
  // `end` closes the connection, so the whole response is written before it. The bytes that the caller is still sending would turn the
  // close into a reset.
  response.flushHeaders();
  if (content.byteLength > 0) response.write(content);
  let bytes = 0;
  const end = () => void response.end();
  const patience = setTimeout(end, LINGER_MS);
  response.once("close", () => clearTimeout(patience));
  request.on("data", (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > LINGER_BYTES) request.pause();
  });
  request.once("end", end);
  request.resume();
}

/** Responds with only a status. */
export function endEmpty(request: IncomingMessage, response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.setHeader("content-length", 0);
  endAnswer(request, response);
}

/** Whether the request's head declares a body whose last byte has not arrived. */
function isUnread({ headers, complete }: IncomingMessage): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return hasBody && !complete;
}
