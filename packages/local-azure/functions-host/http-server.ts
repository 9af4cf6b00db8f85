import type { Server } from "node:http";
import { boundedServer } from "../common/bounded-server.ts";
import { loopbackOnly } from "../common/loopback-only.ts";
import type { AnswerRequest } from "./http-trigger.ts";

export interface HttpServer {
  readonly port: number;
  /** Rejects new requests. Resolves when the last response has been sent. */
  stop(): Promise<void>;
  /** Cuts all open connections. */
  cut(): void;
}

/** More than `headFault` allows. It checks the exact limits. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Serves HTTP on loopback. Throws a message that names the port if it is taken. */
export async function serve(
  answer: AnswerRequest,
  { port, customHeaders = {} }: { readonly port: number; readonly customHeaders?: Readonly<Record<string, string>> },
): Promise<HttpServer> {
  let isStopping = false;
  const guarded = loopbackOnly((request, response) => void answer(request, response));
  const server = boundedServer(
    (request, response) => {
      response.setHeaders(new Headers({ ...customHeaders, server: "Kestrel" }));
      if (isStopping) {
        response.writeHead(503, { connection: "close" }).end();
        return;
      }
      // A kept-alive connection would prevent the server from closing.
      response.on("finish", () => isStopping && request.socket.end());
      guarded(request, response);
    },
    undefined,
    MAX_HEAD_BYTES,
  );
  // Kestrel serves a request with an expectation that it does not know.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  await listen(server, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    stop() {
      isStopping = true;
      return new Promise((resolve) => server.close(() => resolve()));
    },
    cut: () => server.closeAllConnections(),
  };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const isTaken = "code" in error && error.code === "EADDRINUSE";
      reject(isTaken ? new Error(`port ${port} is taken`, { cause: error }) : error);
    });
    server.listen(port, "127.0.0.1", resolve);
  });
