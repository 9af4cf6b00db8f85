import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { endEmpty, readWithin } from "../../local-azure/common/bounded-server.ts";
import { spansIn, type ReceivedSpan } from "./otlp.ts";
import type { Beside } from "./server.ts";

/** A batch of the app's exporter has 512 spans of some hundred bytes each. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const unzipped = promisify(gunzip);

/**
 * Accepts spans over OTLP, as protobuf over HTTP, at `POST /v1/traces`. A body that is invalid or too large is rejected with a status from
 * 400 to 415, and none of its spans is received. `receive` must not throw.
 */
export function spanReceiver(receive: (spans: readonly ReceivedSpan[]) => void): Beside {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await bodyOf(request);
    if (typeof read === "number") return endEmpty(request, response, read);
    const spans = readSpans(read);
    if (!spans) return endEmpty(request, response, 400);
    receive(spans);
    response.setHeader("content-type", "application/x-protobuf"); // an empty message: all spans were accepted
    endEmpty(request, response, 200);
  };
  return (request, response) => {
    if (request.url !== "/v1/traces") return false;
    answer(request, response).catch(() => response.destroy()); // the caller disconnected
    return true;
  };
}

/** The body, or the status that rejects it. Throws if the caller disconnects. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | number> {
  const { method, headers } = request;
  if (method !== "POST") return 405;
  if (headers["content-type"] !== "application/x-protobuf") return 415;
  const body = await readWithin(request, MAX_BODY_BYTES);
  if (!body) return 413;
  if (headers["content-encoding"] !== "gzip") return body;
  return unzipped(body, { maxOutputLength: MAX_BODY_BYTES }).catch((error: unknown) => (isTooLarge(error) ? 413 : 400));
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";

function readSpans(body: Uint8Array): ReceivedSpan[] | undefined {
  try {
    return spansIn(body);
  } catch {
    return undefined; // not protobuf, or nested too deeply to read
  }
}
