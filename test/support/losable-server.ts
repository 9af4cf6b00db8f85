import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";

export interface Losable {
  /** Loses the open connections: whatever they carry vanishes, and no end of them is seen. New connections work. */
  lose(): void;
}

/** An HTTP server that can lose its connections to its clients. */
export function losableServer(listener: RequestListener): Losable & { readonly server: Server } {
  const open = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    if (!lost.has(request.socket)) listener(request, response);
  });
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return {
    server,
    lose() {
      for (const socket of open) {
        lost.add(socket);
        socket.setTimeout(0); // an idle connection would be closed
        Object.assign(socket, { write: () => true });
      }
    },
  };
}
