import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";

// The bounds that the servers which stand in for Azure's set to what a caller sends, and how slowly.

/** How long a caller may take, in milliseconds. */
export interface Patience {
  /** For the head of a request. */
  readonly headMs: number;
  /** For the whole request. The answer may take longer: a poll waits. */
  readonly requestMs: number;
}

/** 64 KiB in twenty seconds are 26 kbit/s, which every network of a shop has. Node's own bounds are 60 and 300 seconds. */
const standard: Patience = { headMs: 10_000, requestMs: 20_000 };

/** A server that cuts off who sends more slowly, with 408 where nothing is answered yet. It looks for them every second at least. */
export const boundedServer = (listener: RequestListener, { headMs, requestMs } = standard): Server =>
  createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(1_000, headMs, requestMs),
    },
    listener,
  );

/**
 * Reads a body of at most `maxBytes`; undefined for a longer one. The byte after the last that is taken ends the reading, so that memory
 * does not grow with what is sent. Throws where the caller leaves before its body is whole.
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

/** Once an upload is answered, so much of it is still taken, and its sender has so long to read: one that sends all before it reads gets the answer. */
const LINGER_BYTES = 256 * 1024;
const LINGER_MS = 1_000;

/**
 * Sends an answer whose status and headers are set. Where its request has a body that was not read to the end, the connection is closed
 * after it, so that no upload goes on that nobody reads.
 */
export function endAnswer(request: IncomingMessage, response: ServerResponse, body: string | Uint8Array = ""): void {
  if (!isUnread(request)) return void response.end(body);
  const content = Buffer.from(body);
  response.setHeader("connection", "close");
  if (content.byteLength > 0) response.setHeader("content-length", content.byteLength);
  // The whole answer goes out now. `end` closes the connection, and what the caller is still sending would make that a reset.
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

/** Answers with a status alone. */
export function endEmpty(request: IncomingMessage, response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.setHeader("content-length", 0);
  endAnswer(request, response);
}

/** A request has a body where its head says so. There is more of it until its last byte has come. */
function isUnread({ headers, complete }: IncomingMessage): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return hasBody && !complete;
}
