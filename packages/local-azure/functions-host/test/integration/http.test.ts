import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixture, startHost, type RunningHost } from "./running-host.ts";

let host: RunningHost;
beforeAll(async () => {
  host = await startHost(fixture("http"));
});
afterAll(() => host[Symbol.asyncDispose]());

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
  readonly functionName: string;
  readonly traceParent: string;
  readonly triggerMetadata: null;
}

const echo = async (query: string, init?: RequestInit): Promise<Echo> =>
  (await (await fetch(`${host.url}/echo${query}`, init)).json()) as Echo;

/** Sends a request that `fetch` would change. */
const raw = (options: {
  path: string;
  headers: Record<string, string>;
  body?: string;
}): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { path, headers, body } = options;
    const sent = request(
      { host: "127.0.0.1", port: host.port, path, headers, method: body ? "POST" : "GET" },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });

/** Sends a request exactly as written. Resolves with its status. */
async function statusOf(head: readonly string[]): Promise<number> {
  const socket = connect(host.port, "127.0.0.1");
  socket.end(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n`, "latin1");
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(await text(socket))?.[1]);
}

describe("what a function sees of a request", () => {
  it("sees method, headers, body and its own name, and no trigger metadata", async () => {
    const seen = await echo("", { method: "PUT", body: "hello", headers: { "X-Own": "yes" } });
    expect(seen).toMatchObject({ method: "PUT", body: "hello", functionName: "echo", triggerMetadata: null });
    expect(seen.headers).toMatchObject({ "x-own": "yes", "content-length": "5" });
  });

  it("sees the URL under the host that the caller named", async () => {
    const { text } = await raw({ path: "/echo?a=%20b", headers: { host: "localhost:8443" } });
    expect(JSON.parse(text)).toMatchObject({ url: "http://localhost:8443/echo?a=%20b" });
  });

  it("sees the values of a repeated query key joined by commas", async () => {
    expect((await echo("?a=1&b=&a=2&c")).query).toEqual({ a: "1,2", b: "", c: "" });
  });

  it("sees an empty body where the length was not declared", async () => {
    const { status, text } = await raw({
      path: "/echo",
      headers: { "transfer-encoding": "chunked", "content-type": "text/plain" },
      body: "lost",
    });
    expect({ status, body: (JSON.parse(text) as Echo).body }).toEqual({ status: 200, body: "" });
  });

  it("gets the bytes of a body unchanged", async () => {
    expect((await echo("", { method: "POST", body: '{ "a" :1} ü' })).body).toBe('{ "a" :1} ü');
  });

  it("sees values of a query by their names without regard to case", async () => {
    expect((await echo("?A=1&a=2")).query).toEqual({ a: "1,2" });
  });

  it("sees header values as UTF-8", async () => {
    const { text } = await raw({ path: "/echo", headers: { "x-own": Buffer.from("ü").toString("latin1") } });
    expect((JSON.parse(text) as Echo).headers["x-own"]).toBe("ü");
  });

  it("is not called if a header has a character beyond Latin-1: the library fails before it", async () => {
    const headers = { "x-own": Buffer.from("Łódź").toString("latin1") };
    expect(await raw({ path: "/echo", headers })).toEqual({ status: 500, text: "" });
    await expect.poll(() => host.log.join("\n")).toContain("error echo the function failed: TypeError: Cannot convert");
  });

  it("sees no trace where nothing is sent to Application Insights, also where the caller has one", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    expect((await echo("", { headers: { traceparent } })).traceParent).toBe("");
  });

  it("is part of the caller's trace, with a span of its own, or begins one, where the host traces its calls", async () => {
    await using traced = await startHost(fixture("http"), { env: { APPLICATIONINSIGHTS_CONNECTION_STRING: "there" } });
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const seen = async (headers: Record<string, string>) =>
      ((await (await fetch(`${traced.url}/echo`, { headers })).json()) as Echo).traceParent;
    expect(await seen({ traceparent })).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)\w{16}-01$/);
    expect(await seen({})).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  it.each([
    ["a backslash", "/items/..\\echo", { name: "free", params: { id: "..\\echo" } }],
    ["a fragment's sign", "/items/1#2", { name: "free", params: { id: "1#2" } }],
    ["a fragment's sign before dot segments", "/items/1#/../2", { name: "constrained", params: { id: "2" } }],
  ])("has %s in its path", async (_, path, seen) => {
    const { status, text } = await raw({ path, headers: {} });
    expect([status, JSON.parse(text)]).toEqual([200, seen]);
  });

  it.each([
    ["a zero in its path", ["GET /echo%00 HTTP/1.1", "Host: localhost"], 400],
    ["an expectation that no server knows", ["GET /echo HTTP/1.1", "Host: localhost", "Expect: something"], 200],
    ["two hosts", ["GET /echo HTTP/1.1", "Host: localhost", "Host: 127.0.0.1"], 400],
    ["a whole URL of another host", ["GET http://127.0.0.1/echo HTTP/1.1", "Host: localhost"], 400],
    ["a whole URL of its host", ["GET http://localhost/echo HTTP/1.1", "Host: localhost"], 200],
    ["a longer line than 8 KiB", [`GET /echo?${"a".repeat(8_200)} HTTP/1.1`, "Host: localhost"], 414],
    [
      "more headers than a hundred",
      ["GET /echo HTTP/1.1", "Host: localhost", ...Array.from({ length: 100 }, (_, i) => `X-${i}: 1`)],
      431,
    ],
    ["more than 32 KiB of headers", ["GET /echo HTTP/1.1", "Host: localhost", `X-Own: ${"a".repeat(33_000)}`], 431],
    ["a header that is not UTF-8", ["GET /echo HTTP/1.1", "Host: localhost", "X-Own: S\xe3o Paulo"], 400],
    ["20 KiB of headers", ["GET /echo HTTP/1.1", "Host: localhost", `X-Own: ${"a".repeat(20_000)}`], 200],
  ])("with %s is answered as by Kestrel", async (_, head, status) => {
    expect(await statusOf(head)).toBe(status);
  });

  it("is not called with a URL that cannot be read", async () => {
    expect((await raw({ path: "/echo", headers: { host: "localhost:99999" } })).status).toBe(400);
  });

  it.each(["a@b", "not a host", "payments.example", "localhost.example", "127.0.0.1:1:2"])(
    "is not called under the name %s, and the key in the URL is not logged",
    async (name) => {
      expect((await raw({ path: "/echo?code=a-key-in-the-url", headers: { host: name } })).status).toBe(421);
      expect(host.log.join("\n")).not.toContain("a-key-in-the-url");
    },
  );
});

describe("what the caller gets", () => {
  it.each([
    ["text", 200, "plain", "text/plain;charset=UTF-8"],
    ["json", 202, '{"a":1}', "application/json"],
    ["stream", 200, "in parts", null],
    ["nothing", 204, "", null],
    ["no-content", 204, "", null],
  ])("is what the function %s returned", async (name, status, body, type) => {
    const response = await fetch(`${host.url}/${name}`);
    expect([response.status, await response.text(), response.headers.get("content-type")]).toEqual([
      status,
      body,
      type,
    ]);
  });

  it("is the bytes that the function returned", async () => {
    const response = await fetch(`${host.url}/bytes`);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 128]);
  });

  it("is chunked where it has a body, and has no content-type where the function's is empty", async () => {
    const { headers } = await fetch(`${host.url}/no-type`);
    expect([headers.get("content-length"), headers.get("transfer-encoding"), headers.get("content-type")]).toEqual([
      null,
      "chunked",
      null,
    ]);
    expect((await fetch(`${host.url}/no-content`)).headers.get("transfer-encoding")).toBeNull();
  });

  it("has the function's headers and cookies", async () => {
    expect((await fetch(`${host.url}/with-header`)).headers.get("x-own")).toBe("yes");
    expect((await fetch(`${host.url}/cookies`)).headers.getSetCookie()).toEqual([
      "a=1; path=/; secure; samesite=lax; httponly",
      "b=2; path=/",
    ]);
  });

  it.each(["throws", "bad-header", "latin-header", "short-length"])(
    "is an empty 500 when the function %s",
    async (name) => {
      const response = await fetch(`${host.url}/${name}`);
      expect([response.status, await response.text(), response.headers.get("x-own")]).toEqual([500, "", null]);
      await expect.poll(() => host.log.some((line) => line.startsWith(`error ${name} `))).toBe(true);
    },
  );

  it("is a 500 when a function registers another after start-up", async () => {
    expect((await fetch(`${host.url}/registers-late`)).status).toBe(500);
    expect((await fetch(`${host.url}/late`)).status).toBe(404);
    await expect.poll(() => host.log.join("\n")).toContain("A function can only be registered during app startup.");
  });
});

describe("what the operator reads", () => {
  it("is one line an entry, of the levels that host.json lets through", async () => {
    await fetch(`${host.url}/prints`);
    await expect.poll(() => host.log).toContain("warning prints first line\\nsecond line");
    expect(host.log).toContain("printed by the app");
    expect(host.log.join("\n")).not.toContain("too fine to be told");
  });

  it("leaves standard output to the line that says the host is ready", () => {
    expect(host.output).toHaveLength(1);
  });
});
