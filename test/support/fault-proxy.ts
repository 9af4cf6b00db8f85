import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { losableServer, type Losable } from "./losable-server.ts";

export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/**
 * The fate of a request. `pass`: it reaches the target. `drop-request`: its connection is cut before the target sees it. `drop-response`:
 * the target carries it out, and the response is cut off. `unavailable`: it gets 503 without the target.
 */
export type Fate = "pass" | "drop-request" | "drop-response" | "unavailable";

export interface HttpProxyOptions {
  readonly targetPort: number;
  /** Decides on each request. A promise holds the request until it settles, even if the caller has given up by then. */
  readonly onRequest?: (request: ProxiedRequest) => Fate | Promise<Fate>;
  /**
   * Keeps connections to the target open. This is faster, but occasionally a connection is stale, which is a fault that no test requested.
   */
  readonly keepAlive?: boolean;
}

export interface FaultProxy extends Losable {
  readonly port: number;
  /** Cuts all connections. Held requests no longer reach the target. */
  close(): Promise<void>;
}

/** A proxy in front of an HTTP/1.1 server on 127.0.0.1 that decides the fate of each request. */
export async function startFaultProxy(options: HttpProxyOptions): Promise<FaultProxy> {
  const { targetPort, onRequest = () => "pass", keepAlive = false } = options;
  const agent = new Agent({ keepAlive });
  let closed = false;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const cut = () => void request.socket.destroy();
    try {
      const body = await buffer(request);
      const { method = "GET", url: path = "/" } = request;
      const fate = await onRequest({ method, path, body: body.toString() });
      if (closed || fate === "drop-request") return cut();
      if (fate === "unavailable") return void response.writeHead(503).end();
      const answer = await forward(request, body);
      if (fate === "drop-response") return cut();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    } catch (error) {
      cut();
      // A failure of the target looks to the caller as it would without a proxy. A test's own mistake must not stay hidden.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }

  async function forward({ method, url, rawHeaders }: IncomingMessage, body: Buffer) {
    const onward = httpRequest({ host: "127.0.0.1", port: targetPort, method, path: url, headers: rawHeaders, agent });
    onward.end(body);
    const [answer] = (await once(onward, "response")) as [IncomingMessage];
    return { status: answer.statusCode ?? 502, headers: answer.rawHeaders, body: await buffer(answer) };
  }

  const { server, lose } = losableServer((request, response) => void handle(request, response));
  const port = await listen(server);
  return {
    port,
    lose,
    async close() {
      closed = true;
      const ended = once(server, "close");
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await ended;
    },
  };
}

export interface TcpProxy extends FaultProxy {
  /** Ends the open connections, like a lost network. New connections are accepted. */
  cut(): void;
  /** Refuses new connections. Open connections remain. */
  refuse(): void;
  /** Accepts new connections again. */
  accept(): void;
  /** Delays everything in both directions by this many milliseconds from now on. The order is kept. */
  delay(ms: number): void;
}

/** A proxy in front of any server on 127.0.0.1. It passes bytes on while it is allowed to. */
export async function startTcpProxy({ targetPort }: { readonly targetPort: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let refusing = false;
  let delayMs = 0;

  function join(client: Socket): void {
    if (refusing) return void client.resetAndDestroy();
    const target = connect({ host: "127.0.0.1", port: targetPort, allowHalfOpen: true });
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => lost.has(from) || to.destroy());
      from.on("close", () => sockets.delete(from));
      relay(from, to, { delayMs: () => delayMs, isLost: () => lost.has(from) });
    }
  }

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createTcpServer({ allowHalfOpen: true }, join);
  const port = await listen(server);
  return {
    port,
    cut,
    refuse: () => void (refusing = true),
    accept: () => void (refusing = false),
    lose() {
      for (const socket of sockets) lost.add(socket);
    },
    delay: (ms) => void (delayMs = ms),
    async close() {
      const ended = once(server, "close");
      server.close();
      cut();
      await ended;
    },
  };
}

/** Passes on the incoming data and finally the end, in order. Each part is delayed by the delay at its arrival. */
function relay(
  from: Socket,
  to: Socket,
  { delayMs, isLost }: { readonly delayMs: () => number; readonly isLost: () => boolean },
): void {
  let previous: Promise<unknown> = Promise.resolve();
  const inTurn = (step: () => void) => {
    const due = delayMs() === 0 ? undefined : sleep(delayMs(), undefined, { ref: false });
    previous = Promise.all([previous, due]).then(() => !to.destroyed && !isLost() && step());
  };
  from.on("data", (chunk) => inTurn(() => to.write(chunk)));
  from.on("end", () => inTurn(() => to.end()));
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
