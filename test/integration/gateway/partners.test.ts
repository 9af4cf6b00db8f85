import { describe, expect, it } from "vitest";
import { aGateway, functionsKeys, partnerHeaders, posting, subscription } from "./a-gateway.ts";
import { expectForBrowsers } from "./expect-problem.ts";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";

const KEY = "Ocp-Apim-Subscription-Key";
const path = "/pos-payment-request";
const body = { sessionID: "5b3c1e57-8a5b-4f0e-9d86-4f5d5a1f6a10" };

describe("a partner with both keys", () => {
  it.each([subscription.primaryKey, subscription.secondaryKey])("gets through with the %s", async (key) => {
    const backend = await startEchoBackend((response) =>
      response.writeHead(202, { "content-type": "application/json", "x-own": "kept" }).end('{"status":"pending"}'),
    );
    const gateway = await aGateway({ backendUrl: backend.url });
    const response = await gateway.ask(path, posting(body, { ...partnerHeaders, [KEY]: key }));
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ status: "pending" });
    expect(response.headers.get("x-own")).toBe("kept");
    expect(backend.seen).toHaveLength(1);
    expect(backend.seen[0]).toMatchObject({ method: "POST", url: "/pos-payment-request", body: JSON.stringify(body) });
  });

  it("is passed on with the apikey, without the subscription key and the trace header", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    await gateway.ask(path, posting(body, partnerHeaders));
    const headers = backend.seen[0]?.headers ?? {};
    expect(headers["apikey"]).toBe(partnerHeaders.apikey);
    expect(headers).not.toHaveProperty("ocp-apim-subscription-key");
    expect(headers).not.toHaveProperty("ocp-apim-trace");
  });

  it("is passed on with the gateway's own function key, whatever key the caller sends", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    await gateway.ask(path, posting(body, partnerHeaders));
    await gateway.ask(path, posting(body, { ...partnerHeaders, "x-functions-key": "the-callers-own" }));
    expect(backend.seen.map(({ headers }) => headers["x-functions-key"])).toEqual([
      functionsKeys.partners,
      functionsKeys.partners,
    ]);
  });

  it("gets the gateway's names for its request and its address, whatever it sends itself", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const own = { "x-request-id": "the-callers-own", "x-client-address": "203.0.113.77" };
    const response = await gateway.ask(path, posting(body, { ...partnerHeaders, ...own }));
    const requestId = response.headers.get("x-request-id");
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(backend.seen[0]?.headers["x-request-id"]).toBe(requestId);
    expect(backend.seen[0]?.headers["x-client-address"]).toBe("127.0.0.1");
  });

  it("reads a function's refusal unchanged", async () => {
    const refusal = JSON.stringify({ code: "terminal_busy" });
    const backend = await startEchoBackend((response) =>
      response.writeHead(409, { "content-type": "application/problem+json", "retry-after": "5" }).end(refusal),
    );
    const response = await (await aGateway({ backendUrl: backend.url })).ask(path, posting(body, partnerHeaders));
    expect([response.status, await response.text()]).toEqual([409, refusal]);
    expectForBrowsers(response);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("retry-after")).toBe("5");
  });

  it("may send its body in chunks: the function gets it whole, with its length", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    for (const text of ['{"name":"å"}', `"${"x".repeat(65_534)}"`]) {
      const chunked: RequestInit = {
        ...posting(body, partnerHeaders),
        body: new Blob([text]).stream(),
        duplex: "half",
      };
      expect((await gateway.ask(path, chunked)).status).toBe(200);
      const { headers, body: got } = backend.seen.at(-1) ?? {};
      expect({ got, length: headers?.["content-length"], framing: headers?.["transfer-encoding"] }).toEqual({
        got: text,
        length: String(Buffer.byteLength(text)),
        framing: undefined,
      });
    }
  });

  it("sends a body of 64 KiB with its type's parameters", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const full = `"${"a".repeat(64 * 1024 - 2)}"`;
    const headers = { ...partnerHeaders, "Content-Type": "Application/JSON; charset=utf-8" };
    const response = await gateway.ask(path, { method: "POST", headers, body: full });
    expect(response.status).toBe(200);
    expect(backend.seen[0]?.body).toBe(full);
  });

  it.each([
    ["GET", "/pos-payment/s1", "/pos-payment/s1"],
    ["GET", "/pos-payment/s1/timeline", "/pos-payment/s1/timeline"],
    ["GET", "/pointOfServices/p1/pos-status", "/pointOfServices/p1/pos-status"],
    ["GET", "/action-request/a1", "/action-request/a1"],
    ["PATCH", "/set-pos-status?pointOfServiceID=p1", "/set-pos-status?pointOfServiceID=p1"],
    ["POST", "/action-request-response", "/action-request-response"],
    ["POST", "/add-discount", "/add-discount"],
    ["POST", "/pos-payment-cancel", "/pos-payment-cancel"],
    ["POST", "/pos-payment-capture", "/pos-payment-capture"],
    ["POST", "/pos-payment-refund", "/pos-payment-refund"],
  ])("reaches %s %s", async (method, asked, reached) => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const init = method === "GET" ? { headers: partnerHeaders } : { ...posting(body, partnerHeaders), method };
    const response = await gateway.ask(asked, init);
    expect(response.status).toBe(200);
    expect(backend.seen[0]).toMatchObject({ method, url: reached });
  });
});
