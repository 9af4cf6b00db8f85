import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { webhookPlace } from "../deployed/deployed.ts";
import { losableServer, type Losable } from "./losable-server.ts";

/** An address for webhooks, and the function that closes it. */
interface Listener extends Losable {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens for webhooks: on its own port, or at the address that a deployed platform reaches. */
export async function listenForWebhooks(listener: RequestListener): Promise<Listener> {
  const place = webhookPlace(process.env);
  return place ? listenAt(place, listener) : listenAnywhere(listener);
}

async function listenAnywhere(listener: RequestListener): Promise<Listener> {
  const { server, lose } = losableServer(listener);
  const port = await listening(server, 0);
  return { url: `http://127.0.0.1:${port}/webhooks`, lose, close: () => closed(server) };
}

/** The listeners by their paths. They share one port. */
const listeners = new Map<string, RequestListener>();
let shared: Promise<Server> | undefined;

async function listenAt({ url, port }: { url: string; port: number }, listener: RequestListener): Promise<Listener> {
  const path = `/webhooks/${randomUUID()}`;
  listeners.set(path, listener);
  shared ??= (async () => {
    const server = createServer((request, response) => {
      const own = [...listeners].find(([path]) => request.url?.endsWith(path));
      if (own) own[1](request, response);
      else response.writeHead(404).end();
    });
    await listening(server, port);
    return server;
  })();
  await shared;
  return {
    url: `${url.replace(/\/+$/, "")}${path}`,
    lose: () => {}, // the connections end at a proxy of the deployed platform
    async close() {
      listeners.delete(path);
      if (listeners.size > 0 || !shared) return;
      const last = shared;
      shared = undefined;
      await closed(await last);
    },
  };
}

async function listening(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
