import { request, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import type { Agents } from "./public-only-agents.ts";

export interface Post {
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** The most bytes of the headers of a response. */
const MAX_HEADERS = 64 * 1024;

/** The most bytes of the headers of all informational responses to a request. More would only occupy the process. */
const MAX_INFORMATION = 1024 * 1024;

/** A request that this file ended. Its code is like those of Node's own errors. */
class EndedRequest extends Error {
  override readonly name = "EndedRequest";
  readonly code: string;
  constructor(code: string) {
    super(`The request ended with ${code}.`);
    this.code = code;
  }
}

/**
 * The final response to one POST. Informational responses are ignored. At the deadline, in the milliseconds of `performance.now()`, the
 * request ends, or the response's body if that has begun.
 *
 * A server may close an idle connection at the moment of the request. The request is then sent again on another connection.
 */
export async function post(agents: Agents, what: Post, deadline: number): Promise<IncomingMessage> {
  for (;;) {
    const response = await postOnce(agents, what, deadline);
    if (response) return response;
  }
}

/** Undefined if a connection that was used before failed without a byte of a response. */
function postOnce(
  agents: Agents,
  { url, headers, body }: Post,
  deadline: number,
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    const agent = url.protocol === "http:" ? agents.http : agents.https;
    // The agent's time-out is for idle connections alone.
    const sent = request(url, { method: "POST", headers, agent, maxHeaderSize: MAX_HEADERS, timeout: 0 });
    let hasBytes = false;
    let informed = 0;
    let response: IncomingMessage | undefined;
    const fail = (error: Error) => {
      reject(error); // now, because a request that waits for a connection emits no error
      (response ?? sent).destroy(error);
    };
    const timer = setTimeout(() => fail(new EndedRequest("ETIMEDOUT")), deadline - performance.now());

    sent
      .once("socket", (socket) => socket.prependOnceListener("data", () => (hasBytes = true))) // before the parser, which may fail
      .on("information", ({ rawHeaders }) => {
        informed += STATUS_LINE + rawHeaders.join("").length;
        if (informed > MAX_INFORMATION) fail(new EndedRequest("HPE_HEADER_OVERFLOW"));
      })
      .once("upgrade", (switched) => resolve(switched.destroy())) // 101, which no request asks for
      .once("response", (begun) => resolve((response = begun)))
      .on("error", (error) => (sent.reusedSocket && !hasBytes ? resolve(undefined) : fail(error)))
      .once("close", () => {
        clearTimeout(timer);
        if (!response) reject(new EndedRequest("ECONNRESET")); // no attempt waits for ever; has no effect after an error
      })
      .end(body);
  });
}

/** The bytes of a short status line. */
const STATUS_LINE = 16;
