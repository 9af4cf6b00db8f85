import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { listening } from "../../../packages/local-azure/common/test/listening.ts";
import type { TlsOptions } from "node:tls";

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface PartnerServer {
  readonly port: number;
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** Connections opened so far. */
  readonly connections: () => number;
}

/** May be asynchronous. A failure fails the test run. */
type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A partner's server for the duration of one test. It records each request before it responds. */
export async function aPartnerServer(
  answer: Answer,
  { tls, address = "127.0.0.1" }: { readonly tls?: TlsOptions; readonly address?: string } = {},
): Promise<PartnerServer> {
  const received: ReceivedRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = request;
    received.push({ method, path, headers, body: await text(request) });
    await answer(request, response);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response);
  const server: Server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  let connections = 0;
  server.on("connection", () => (connections += 1));
  const port = await listening(server, address);
  const url = `${tls ? "https" : "http"}://127.0.0.1:${port}/hook?from=terminal`;
  return { port, url, received, connections: () => connections };
}

/** A server that responds to every request with these bytes, for responses that no HTTP library would send. */
export const aServerThatSends = (response: string): Promise<string> =>
  aRawServer((socket) => socket.on("data", () => socket.write(response)));

/** A server that sends raw bytes. */
export async function aRawServer(onConnection: (socket: Socket) => unknown): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    onConnection(socket);
  });
  const closeAllConnections = () => sockets.forEach((socket) => socket.destroy());
  return `http://127.0.0.1:${await listening(Object.assign(server, { closeAllConnections }))}/`;
}
