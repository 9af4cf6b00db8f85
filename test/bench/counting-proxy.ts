import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Also matches within a line, because a body without a line end may precede a request. */
const REQUEST_LINE = /(?:GET|POST|PUT|PATCH|MERGE|DELETE) \/(?:[^\s/?(]*\/)*([^\s/?(]*)\S* HTTP\/1\.1\r\n/g;
/** The part of a chunk that is kept for the next one. A request line that spans two chunks is found in the second. */
const LONGEST_LINE = 2_048;

/**
 * Finds HTTP requests in a stream of chunks, each by the table at the end of its path. It also counts requests within a group's body, so
 * groups must not be sent through it.
 */
function requestFinder(): { readonly read: (chunk: string) => readonly string[] } {
  let rest = "";
  return {
    read(chunk) {
      const text = rest + chunk;
      const found = [...text.matchAll(REQUEST_LINE)];
      const last = found.at(-1);
      const counted = last ? last.index + last[0].length : 0;
      rest = text.slice(Math.max(counted, text.length - LONGEST_LINE));
      return found.map(([, table = ""]) => table);
    },
  };
}

/** Passes connections on to a port on loopback, and counts the HTTP requests by table. */
export async function startCountingProxy(targetPort: number) {
  const requests = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    const { read } = requestFinder();
    near.on("data", (chunk: Buffer) => {
      for (const table of read(chunk.toString("latin1"))) requests.set(table, (requests.get(table) ?? 0) + 1);
    });
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {
        near.destroy();
        far.destroy();
      });
      socket.once("close", () => sockets.delete(socket));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    requestsOf: (table: string) => requests.get(table) ?? 0,
    requests: () => [...requests.values()].reduce((sum, some) => sum + some, 0),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
