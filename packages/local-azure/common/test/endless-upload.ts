import { Agent, request } from "node:http";

export interface Upload {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** Sent in chunks, without a declared length. */
  readonly isChunked: boolean;
}

const part = Buffer.alloc(64 * 1024, " ");

/**
 * Sends until all is sent or the other side ends it. Returns the status, if there was a response, and the number of bytes that were sent.
 */
export async function upload({ url, method, headers, bytes, isChunked }: Upload) {
  const framing = isChunked ? { "transfer-encoding": "chunked" } : { "content-length": String(bytes) };
  // Kept alive, so that the server decides about closing the connection.
  const agent = new Agent({ keepAlive: true });
  const sending = request(url, { method, headers: { ...headers, ...framing }, agent });
  let status: number | undefined;
  const over = new Promise<void>((resolve) => sending.once("close", () => resolve()));
  sending.on("response", (response) => {
    status = response.statusCode;
    response.resume().on("error", () => {});
  });
  sending.on("error", () => {});
  let taken = 0;
  while (taken < bytes && !sending.closed) {
    taken += part.byteLength;
    if (sending.write(part)) continue;
    await Promise.race([over, new Promise((resolve) => sending.once("drain", resolve))]);
  }
  sending.end();
  await over;
  agent.destroy();
  return { status, taken: Math.min(taken, bytes) };
}
