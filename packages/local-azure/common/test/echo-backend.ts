import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "./listening.ts";

/** A request as the backend saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface EchoBackend {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Resolves when a caller has left before its response. */
  readonly abandoned: Promise<void>;
}

type Respond = (response: ServerResponse, seen: Seen) => void;

const ok: Respond = (response) => response.writeHead(200, { "content-type": "application/json" }).end("{}");

/** A Functions host that records its requests. It stops when the test does. */
export async function startEchoBackend(respond: Respond = ok): Promise<EchoBackend> {
  const seen: Seen[] = [];
  const abandoned = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    response.once("close", () => {
      if (!response.writableFinished) abandoned.resolve();
    });
    void (async () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body: await text(request) };
      seen.push(one);
      respond(response, one);
    })();
  });
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, seen, abandoned: abandoned.promise };
}
