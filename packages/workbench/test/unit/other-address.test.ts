import { createServer, request, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../local-azure/common/free-ports.ts";
import { loopbackOnly, type Opening } from "../../../local-azure/common/loopback-only.ts";
import { listenOnLoopback } from "../../../local-azure/common/loopback-server.ts";
import { startReference } from "../../reference/reference.ts";
import { startLandingPage } from "../../start/landing-page.ts";
import { shownFile } from "../../start/public-addresses.ts";
import { skippedIf } from "../../../../test/support/skipped.ts";
import { sampleStack } from "../browser/sample-stack.ts";

/** Another address, which only Linux has without configuration. */
const OTHER = "127.0.0.2";
const NAME = "sandbox.shop.example";

async function serverAt(open?: Opening): Promise<number> {
  const server = createServer(loopbackOnly((_, response) => response.end(), open));
  const { url, stop } = await listenOnLoopback(server, 0, open?.host);
  onTestFinished(stop);
  return Number(new URL(url).port);
}

interface Sent {
  readonly port: number;
  readonly host: string;
  readonly path?: string;
  readonly origin?: string;
  /** The form of a POST. Without one it is a GET. */
  readonly form?: string;
}

/** The status and the text of the response at this address to this host name; undefined if no server listens. */
async function responseOf(hostname: string, { port, host, path = "/", origin, form }: Sent) {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const headers = { host, ...(origin !== undefined && { origin }), ...(form !== undefined && type) };
  const method = form === undefined ? "GET" : "POST";
  const asked = request({ hostname, port, path, method, headers, agent: false }).end(form);
  const [answer] = (await once(asked, "response").catch(() => [])) as [IncomingMessage?];
  return answer && { status: answer.statusCode, text: await text(answer) };
}

const statusOf = async (hostname: string, port: number, host: string) =>
  (await responseOf(hostname, { port, host }))?.status;

const isElsewhere = process.platform !== "linux";

it.skipIf(isElsewhere)(
  `answers at another address where it is asked to, and to containers${skippedIf(isElsewhere, `only Linux has ${OTHER}`)}`,
  async () => {
    const port = await serverAt({ host: OTHER });
    expect(await statusOf(OTHER, port, `${OTHER}:${port}`)).toBe(200);
    expect(await statusOf(OTHER, port, `host.docker.internal:${port}`)).toBe(200);
    expect(await statusOf("127.0.0.1", port, "localhost")).toBe(200);
    for (const name of [NAME, "127.0.0.3", "docker.internal", "x.host.docker.internal", `${OTHER}.example`])
      expect(await statusOf(OTHER, port, name)).toBe(421);
  },
);

it("answers on loopback alone where it is not, and not to containers", async () => {
  const port = await serverAt();
  expect(await statusOf("127.0.0.1", port, "host.docker.internal")).toBe(421);
  expect(await statusOf(OTHER, port, "localhost")).toBeUndefined();
});

it("answers to a public name, and listens nowhere else for it", async () => {
  const port = await serverAt({ name: NAME });
  for (const name of [NAME, `${NAME}:8080`, "SANDBOX.shop.example", "localhost"])
    expect(await statusOf("127.0.0.1", port, name)).toBe(200);
  for (const name of [`x.${NAME}`, `${NAME}.evil.example`, "host.docker.internal"])
    expect(await statusOf("127.0.0.1", port, name)).toBe(421);
  expect(await statusOf(OTHER, port, NAME)).toBeUndefined();
});

describe("with a public URL", () => {
  const here = { live: "http://127.0.0.1:7092/", reference: "http://127.0.0.1:7090/" };
  const stack = { ...sampleStack, ...here, landingPage: "http://127.0.0.1:7093/" };
  const shown = shownFile(stack, new URL("https://sandbox.shop.example:8443"));

  it("the reference opens under its name only, and each address that it shows has the name", async () => {
    const reference = await startReference({ port: 0, open: { name: NAME }, stack, shown });
    onTestFinished(() => reference.stop());
    const port = Number(new URL(reference.url).port);
    const read = async (path: string) => (await responseOf("127.0.0.1", { port, host: `${NAME}:${port}`, path }))?.text;
    expect(JSON.parse((await read("/demo.json")) ?? "")).toMatchObject({
      baseUrl: "https://sandbox.shop.example:8443",
      terminalsUrl: "https://sandbox.shop.example:8443/terminals",
      liveUrl: "http://sandbox.shop.example:7092/",
      landingPageUrl: "http://sandbox.shop.example:7093/",
      curl: expect.stringContaining("'https://sandbox.shop.example:8443/pos-payment-request'") as string,
    });
    expect(await read("/problems")).toContain('href="http://sandbox.shop.example:7092/"');
    expect(await read("/openapi/partners.json")).toContain("http://sandbox.shop.example:7090/problems#");
    const preview = { port, host: NAME, path: "/try" };
    expect((await responseOf("127.0.0.1", { ...preview, host: "evil.example" }))?.status).toBe(421);
    expect((await responseOf("127.0.0.1", { ...preview, origin: "http://evil.example" }))?.status).toBe(403);
  });

  it("the landing page takes its form under that name, and from no other page", async () => {
    const port = await freePort();
    const offer = await startLandingPage(port, stack, { name: NAME });
    onTestFinished(() => offer.stop());
    const sent = { port, host: `${NAME}:${port}`, form: "email=&button=1" };
    const from = async (origin: string) => (await responseOf("127.0.0.1", { ...sent, origin }))?.status;
    expect(await from(`http://${NAME}:${port}`)).toBe(422); // the form is read, and lacks its address
    expect(await from(`http://127.0.0.1:${port}`)).toBe(422);
    expect(await from("http://evil.example")).toBe(403);
    expect(await from(`http://${NAME}`)).toBe(403);
  });
});
