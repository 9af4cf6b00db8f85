// Stands in for App Service's front end, before the hosts of one app. It is its own process:
// `node packages/workbench/stack/front-end.ts --port 7071 --hosts 7072,7073`.
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { boundedServer, endEmpty, readWithin } from "../../local-azure/common/bounded-server.ts";
import { loopbackOnly } from "../../local-azure/common/loopback-only.ts";
import { numberIn, readOptions } from "../../local-azure/common/options.ts";

/** The largest body. It is held in memory so that another host can be tried. No operation accepts as much. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Gives requests to the hosts in turn. A host that refuses the connection has not seen the request, so the next one is tried. If no host
 * listens, the caller gets 503. A host that disconnects during a request may have carried it out, so the request is not retried, and the
 * caller gets 502. Before a restart, a host is taken out: it gets no new requests, and ends when it has none left.
 */
function frontEnd(all: readonly number[]) {
  let turn = 0;
  let inUse = all;
  const underWay = new Map<number, number>();
  let drained: (() => void)[] = [];

  /** Counts the unfinished requests of a host. */
  async function counted<T>(port: number, asking: Promise<T>): Promise<T> {
    underWay.set(port, (underWay.get(port) ?? 0) + 1);
    try {
      return await asking;
    } finally {
      underWay.set(port, (underWay.get(port) ?? 1) - 1);
      for (const look of drained) look();
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hosts = inUse;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const first = turn++;
    try {
      const body = await readWithin(request, MAX_BODY_BYTES);
      if (!body) return endEmpty(request, response, 413);
      for (const [i] of hosts.entries()) {
        const port = hosts[(first + i) % hosts.length] ?? 0;
        const answer = await counted(port, ask(port, request, body, gone.signal));
        if (answer !== "refused") return void response.writeHead(answer.status, answer.headers).end(answer.body);
      }
      response.writeHead(503, { "retry-after": "1" }).end();
    } catch {
      // The caller or the host is gone. A caller that is still connected gets a bad gateway.
      if (!response.destroyed) response.writeHead(502).end();
    }
  }

  return {
    answer,
    /** Gives the host no new requests. Resolves when it has none left. */
    takeOut(port: number): Promise<void> {
      inUse = inUse.filter((other) => other !== port);
      return new Promise((resolve) => {
        const look = () => {
          if ((underWay.get(port) ?? 0) > 0) return;
          drained = drained.filter((other) => other !== look);
          resolve();
        };
        drained.push(look);
        look();
      });
    },
    /** Gives the host requests. It may be a new host. */
    putIn(port: number): void {
      inUse = [...new Set([...inUse, port])];
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Rejects if the host accepted the connection but sent no complete response. */
function ask(
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<Answer | "refused"> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | "refused">();
  // A kept-alive connection may be stale. Then it is unknown whether the host has seen the request.
  const passedOn = { ...headers, connection: "close" };
  const onward = httpRequest({ host: "127.0.0.1", port, method, path: url, headers: passedOn, agent: false, signal });
  onward.once("error", (error) => {
    if ("code" in error && error.code === "ECONNREFUSED") resolve("refused");
    else reject(error);
  });
  onward.once("response", (answer) => {
    const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...kept } = answer.headers;
    buffer(answer).then((body) => resolve({ status: answer.statusCode ?? 502, headers: kept, body }), reject);
  });
  onward.end(body);
  return promise;
}

const options = { port: { type: "string", default: "" }, hosts: { type: "string", default: "" } } as const;
const { port, hosts } = readOptions("front-end", { options }, ({ values }) => ({
  port: numberIn("--port", values.port),
  hosts: values.hosts.split(",").map((host) => numberIn("--hosts", host)),
}));
const { answer, takeOut, putIn } = frontEnd(hosts);
const server = boundedServer(loopbackOnly((request, response) => void answer(request, response)));
process.on("message", (message) => {
  const { takeOut: leaving, putIn: coming } = message as { readonly takeOut?: number; readonly putIn?: number };
  if (leaving !== undefined) void takeOut(leaving).then(() => process.send?.({ takenOut: leaving }));
  if (coming !== undefined) putIn(coming);
});
process.once("disconnect", () => process.exit(0));
server.listen(port, "127.0.0.1", () => {
  console.log(JSON.stringify({ ready: true, port: (server.address() as AddressInfo).port }));
});
