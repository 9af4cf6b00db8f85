import { describe, expect, it } from "vitest";
import { upload } from "../../../packages/local-azure/common/test/endless-upload.ts";
import { tooLarge } from "../../../shared/edge/http/read-body.ts";
import { expectProblem } from "./expect-problem.ts";
import { aGateway, partnerHeaders } from "./a-gateway.ts";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";

const MB = 1024 * 1024;
const json = { "Content-Type": "application/json" };
const terminal = { "x-terminal-key": "tk_1_secret" };

describe("an upload without end", () => {
  it.each([
    ["to an operation that takes no body, chunked", "GET", "/terminals/next-message", terminal, true, 413],
    ["to an operation that takes no body, announced", "GET", "/terminals/next-message", terminal, false, 413],
    ["to an operation that takes one, chunked", "POST", "/pos-payment-request", partnerHeaders, true, 413],
    ["to an operation that takes one, announced", "POST", "/pos-payment-request", partnerHeaders, false, 413],
    ["to no operation", "POST", "/nowhere", {}, true, 404],
    ["of a stranger", "POST", "/terminals/report", {}, true, 401],
  ])("%s, is refused, cut off, and reaches no function", async (_, method, path, credentials, isChunked, status) => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const headers = { ...credentials, ...json };
    const sent = await upload({ url: gateway.url + path, method, headers, bytes: 200 * MB, isChunked });
    expect(sent.status).toBe(status);
    expect(sent.taken).toBeLessThan(40 * MB);
    expect(backend.seen).toEqual([]);
  });

  it.each([
    ["announced", false, { "x-body-refused": "body_too_large", "x-body-length": String(200 * MB) }],
    ["chunked", true, { "x-body-refused": "body_too_large" }],
  ])(
    "that a terminal reports (%s) reaches the function without its body, and with the reason",
    async (_, isChunked, reason) => {
      const backend = await startEchoBackend();
      const gateway = await aGateway({ backendUrl: backend.url });
      const headers = { ...terminal, ...json, "x-body-refused": "invented", "x-body-length": "1" };
      const url = `${gateway.url}/terminals/report`;
      const sent = await upload({ url, method: "POST", headers, bytes: 200 * MB, isChunked });
      expect(sent.taken).toBeLessThan(40 * MB);
      expect(backend.seen).toMatchObject([{ headers: { "x-terminal-key": "tk_1_secret", ...reason }, body: "" }]);
      expect(backend.seen[0]?.headers["x-body-length"]).toBe(
        "x-body-length" in reason ? reason["x-body-length"] : undefined,
      );
    },
  );
});

describe.each([
  ["counts every body", false],
  ["counts only a declared length", true],
])("if the gateway's max-size %s, a body in chunks", (_, countsDeclaredLengthOnly) => {
  async function sendInChunks(path: string, headers: Record<string, string>, body: string) {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url, countsDeclaredLengthOnly });
    const chunked: RequestInit = { method: "POST", headers: { ...headers, ...json }, duplex: "half" };
    const response = await gateway.ask(path, { ...chunked, body: new Blob([body]).stream() });
    return { response, backend };
  }

  it.each([
    ["of 100 kB", "x".repeat(100_000)],
    ["of fewer characters than 64 KiB, and more bytes", "\u20ac".repeat(21_846)],
  ])(
    "%s is refused, and as a report it reaches the function without its body, and with the reason",
    async (_, body) => {
      const requested = await sendInChunks("/pos-payment-request", partnerHeaders, body);
      await expectProblem(requested.response, tooLarge, "/pos-payment-request");
      expect(requested.backend.seen).toEqual([]);

      const { backend } = await sendInChunks("/terminals/report", terminal, body);
      expect(backend.seen).toMatchObject([{ headers: { "x-body-refused": "body_too_large" }, body: "" }]);
    },
  );

  it.each([
    ["/pos-payment-request", partnerHeaders],
    ["/terminals/report", terminal],
  ])("of 64 KiB to %s reaches the function whole", async (path, headers) => {
    const body = `x${"\u20ac".repeat(21_845)}`;
    const { backend } = await sendInChunks(path, headers, body);
    expect(backend.seen).toMatchObject([{ headers: { "content-length": "65536" }, body }]);
    expect(backend.seen[0]?.headers).not.toHaveProperty("x-body-refused");
  });
});

it("a report that is not JSON reaches the function whole, without the headers that only the gateway sets", async () => {
  const backend = await startEchoBackend();
  const gateway = await aGateway({ backendUrl: backend.url });
  const headers = { ...terminal, "Content-Type": "text/plain", "x-body-refused": "body_too_large" };
  await gateway.ask("/terminals/report", { method: "POST", headers, body: "hello" });
  expect(backend.seen).toMatchObject([{ body: "hello" }]);
  expect(backend.seen[0]?.headers).not.toHaveProperty("x-body-refused");
});
