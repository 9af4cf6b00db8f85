import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { json, text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { aGateway, partnerHeaders } from "./a-gateway.ts";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";

/** Requests a path unchanged: `fetch` would normalize it. */
async function askRaw(url: string, path: string) {
  const asked = request(url, { path, headers: partnerHeaders });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return { status: response.statusCode, body: await json(response) };
}

describe("an ambiguous path", () => {
  it.each([
    ["a backslash", "/pos-payment/..\\landing-page\\00000000-0000-4000-8000-000000000001"],
    ["a backslash that is encoded", "/pos-payment/..%5clanding-page"],
    ["a slash that is encoded", "/pos-payment/..%2Fnext-message"],
    ["a dot that is encoded", "/pos-payment/%2e%2e"],
    ["a fragment", "/pos-payment/..#"],
    ["a fragment before another operation", "/pos-payment/x#/timeline"],
    ["an end of line", "/pos-payment/x%0d%0aX-Header:1"],
    ["nothing that is a character", "/pos-payment/%00"],
    ["a percent sign alone", "/pos-payment/%"],
  ])("belongs to no operation, and reaches no function: %s", async (_, path) => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const refused = await askRaw(gateway.url, path);
    expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(backend.seen).toEqual([]);
  });

  it.each([
    ["a tab", "\t"],
    ["an end of line", "\r\n"],
    ["a NUL", "\0"],
    ["a delete", "\x7f"],
    ["a byte beyond ASCII", "\xff"],
  ])("is not a valid request: %s unchanged", async (_, character) => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    const told = text(socket);
    socket.end(Buffer.from(`GET /terminals/next${character}message HTTP/1.1\r\nHost: localhost\r\n\r\n`, "latin1"));
    expect(await told).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(backend.seen).toEqual([]);
  });

  it("is not a path that names an identifier in any case", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    await gateway.ask("/pos-payment/ABCDEF00-0000-4000-8000-00000000000a", { headers: partnerHeaders });
    expect(backend.seen).toHaveLength(1);
  });
});
