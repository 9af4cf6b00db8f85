import { once } from "node:events";
import type { Server } from "node:http";
import { createServer } from "node:net";

/** A server that listens on loopback. */
export interface LoopbackServer {
  /** With a trailing slash. */
  readonly url: string;
  /** Stops the server, and cuts off open connections. */
  stop(): Promise<void>;
}

/**
 * Has the server listen on loopback. Port 0 chooses a free port. Rejects with the error of `listen` if the port is taken.
 *
 * @param host another address of this machine on which the server also listens
 */
export async function listenOnLoopback(server: Server, port: number, host?: string): Promise<LoopbackServer> {
  const taken = await listenHere(server, port, host);
  return {
    url: `http://127.0.0.1:${taken}/`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Addresses that mean every address of this machine, including loopback. */
const everyAddress = new Set(["0.0.0.0", "::"]);

/** Like `listenOnLoopback`, for a server that the caller stops. Resolves with the port. */
export async function listenHere(server: Server, port: number, host?: string): Promise<number> {
  const isEvery = host !== undefined && everyAddress.has(host);
  server.listen(port, isEvery ? host : "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const taken = typeof address === "object" && address ? address.port : port;
  if (host === undefined || isEvery) return taken;
  const beside = createServer((socket) => void server.emit("connection", socket));
  beside.listen(taken, host);
  await once(beside, "listening").catch((error: unknown) => {
    server.close();
    throw error;
  });
  server.once("close", () => beside.close());
  return taken;
}
