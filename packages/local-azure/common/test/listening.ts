import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { onTestFinished } from "vitest";

/** Lets a server listen on a free port of loopback. It is closed, with its connections, when the test ends. Returns the port. */
export async function listening(
  server: Server & { closeAllConnections?: () => void },
  address = "127.0.0.1",
): Promise<number> {
  server.listen(0, address);
  await once(server, "listening");
  onTestFinished(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections?.();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
