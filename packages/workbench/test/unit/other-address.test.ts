import { createServer, request, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { loopbackOnly } from "../../../local-azure/common/loopback-only.ts";
import { listenOnLoopback } from "../../../local-azure/common/loopback-server.ts";
import { skippedIf } from "../../../../test/support/skipped.ts";

/** Another address, which only Linux has without configuration. */
const OTHER = "127.0.0.2";

async function serverAt(host?: string): Promise<number> {
  const server = createServer(loopbackOnly((_, response) => response.end(), host));
  const { url, stop } = await listenOnLoopback(server, 0, host);
  onTestFinished(stop);
  return Number(new URL(url).port);
}

/** The status of a request to this address with this host name; undefined if no server listens. */
async function statusOf(hostname: string, port: number, host: string): Promise<number | undefined> {
  const asked = request({ hostname, port, headers: { host }, agent: false }).end();
  const answered = await once(asked, "response").catch(() => []);
  const [answer] = answered as [IncomingMessage?];
  answer?.resume();
  return answer?.statusCode;
}

const isElsewhere = process.platform !== "linux";

it.skipIf(isElsewhere)(
  `answers at another address where it is asked to, and to containers${skippedIf(isElsewhere, `only Linux has ${OTHER}`)}`,
  async () => {
    const port = await serverAt(OTHER);
    expect(await statusOf(OTHER, port, `${OTHER}:${port}`)).toBe(200);
    expect(await statusOf(OTHER, port, `host.docker.internal:${port}`)).toBe(200);
    expect(await statusOf("127.0.0.1", port, "localhost")).toBe(200);
    for (const name of [
      "elsewhere.example",
      "127.0.0.3",
      "docker.internal",
      "x.host.docker.internal",
      `${OTHER}.example`,
    ])
      expect(await statusOf(OTHER, port, name)).toBe(421);
  },
);

it("answers on loopback alone where it is not, and not to containers", async () => {
  const port = await serverAt();
  expect(await statusOf("127.0.0.1", port, "host.docker.internal")).toBe(421);
  expect(await statusOf(OTHER, port, "localhost")).toBeUndefined();
});
