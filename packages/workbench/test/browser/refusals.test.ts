import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LoopbackServer } from "../../../local-azure/common/loopback-server.ts";
import { serveLive } from "../../live/server.ts";
import type { Change } from "../../live/views/snapshot.ts";
import { sampleSource } from "./sample-source.ts";

// Requests that the page's server refuses. The page can move money of the demo, so no other origin and no other host name may reach it.

const source = sampleSource();
const reached: string[] = [];
let server: LoopbackServer;
beforeAll(async () => {
  server = await serveLive({
    port: 0,
    source,
    beside: ({ url = "" }, response) => {
      if (!/^\/(webhook|v1\/traces)$/.test(url)) return false;
      reached.push(url);
      response.writeHead(204).end();
      return true;
    },
  });
});
afterAll(async () => server.stop());
beforeEach(() => {
  source.done.length = 0;
  reached.length = 0;
});

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends target and headers unchanged, and returns the response. Its body is undefined if it does not end by itself. */
async function send(path: string, { method = "GET", headers = {}, body = "" }: Sent = {}) {
  const { hostname, port } = new URL(server.url);
  const length = headers["transfer-encoding"] ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const sent = httpRequest({ hostname, port, path, method, headers: { ...length, ...headers }, agent: false });
  sent.on("error", () => {}); // an upload that is cut off; the response is read nevertheless
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const isStream = response.headers["content-type"] === "text/event-stream";
  const said = isStream ? undefined : await text(response);
  sent.destroy();
  return { status: response.statusCode, headers: response.headers, said };
}

const someBody = { headers: { "content-type": "application/json" }, body: JSON.stringify({ do: "tap" }) };
const sessionOf = () => source.snapshot().payments[0]?.id ?? "";

/** One request for each kind of route. */
const routes: readonly (readonly [string, string])[] = [
  ["GET", "/"],
  ["GET", "/page.js"],
  ["GET", "/stream"],
  ["GET", `/payments/${sessionOf()}`],
  ["GET", "/mails/mail-0"],
  ["GET", "/mails/mail-0/html"],
  ["GET", "/calls/call-0"],
  ["POST", "/terminals/1"],
  ["POST", "/till/pos-payment-request"],
  ["POST", `/payments/${sessionOf()}/preview`],
  ["POST", `/payments/${sessionOf()}/resolve`],
  ["POST", "/alerts/alert-1/close"],
  ["POST", "/receiver"],
  ["POST", "/webhooks/hook-0/resend"],
  ["POST", "/faults"],
  ["DELETE", "/faults"],
  ["POST", "/webhook"],
  ["POST", "/v1/traces"],
];

describe.each(routes)("%s %s", (method, path) => {
  it("is served to the page itself and to programs", async () => {
    const own = await send(path, { ...someBody, method, headers: { origin: new URL(server.url).origin } });
    expect(own.status).not.toBe(403);
    expect((await send(path, { ...someBody, method })).status).not.toBe(421);
  });

  it.each(["elsewhere.example", "127.0.0.1.elsewhere.example", "localhost.elsewhere.example:80", "0.0.0.0"])(
    "is refused under the name %s",
    async (host) => {
      expect((await send(path, { ...someBody, method, headers: { host } })).status).toBe(421);
      expect([...source.done, ...reached]).toEqual([]);
    },
  );

  it.each(["https://elsewhere.example", "http://127.0.0.1", "http://localhost:1", "null", ""])(
    "is refused to a page of the origin %j",
    async (origin) => {
      expect((await send(path, { ...someBody, method, headers: { origin } })).status).toBe(403);
      expect([...source.done, ...reached]).toEqual([]);
    },
  );
});

const word = { of: "payment", outcome: "unpaid", by: "ada", why: "the acquirer's list" };

describe("a request of the page", () => {
  it.each([
    ["no JSON", "/terminals/1", "{"],
    ["a deed that there is not", "/terminals/1", JSON.stringify({ do: "rob" })],
    ["a deed with more than it has", "/terminals/1", JSON.stringify({ do: "tap", amount: 1 })],
    ["an amount that is none", "/terminals/1", JSON.stringify({ do: "approveOther", amount: -1 })],
    ["an amount with decimals", "/terminals/1", JSON.stringify({ do: "approveOther", amount: 1.5 })],
    ["an answer that there is not", "/receiver", JSON.stringify({ answer: "201" })],
    ["a fault without end", "/faults", JSON.stringify({ service: "tables", kind: "away", seconds: 1e9 })],
    ["an outcome that there is not", "/payments/a/b/c/preview", JSON.stringify({ ...word, outcome: "maybe" })],
    ["a word without a reason", "/payments/a/b/c/preview", JSON.stringify({ ...word, why: " " })],
    ["a word on a payment that was not seen", "/payments/a/b/c/resolve", JSON.stringify({ said: word })],
    ["an alert closed by nobody", "/alerts/alert-1/close", JSON.stringify({ why: "seen" })],
    ["a list for an object", "/till/pos-payment-request", "[]"],
    ["a number for an object", "/till/pos-payment-request", "1"],
    ["nothing", "/receiver", ""],
  ])("with %s is refused with a sentence, and does nothing", async (_, path, body) => {
    const { status, said } = await send(path, { method: "POST", body });
    expect(status).toBe(422);
    expect(said).toMatch(/\w/);
    expect(source.done).toEqual([]);
  });

  it("that is larger than any of the page's own is refused, with or without a declared length", async () => {
    const body = JSON.stringify({ reason: "x".repeat(400_000) });
    for (const headers of [{}, { "transfer-encoding": "chunked" }])
      expect((await send("/till/add-discount", { method: "POST", headers, body })).status).toBe(422);
    expect(source.done).toEqual([]);
  });

  it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])(
    "with the method %s and no route is refused",
    async (method) => {
      for (const path of ["/", "/nothing", "/__proto__", "/constructor/toString", "/payments"])
        expect((await send(path, { method, body: "{}" })).status).toBe(422);
      expect(source.done).toEqual([]);
    },
  );

  it.each([
    "/nothing",
    "/__proto__",
    "/constructor",
    "/payments",
    "/payments/",
    "/payments/a/b/c/d",
    "/mails/constructor",
    "/mails/nothing/html",
    "/page.tsx",
    "/../server.ts",
    "/..%2fserver.ts",
    "/%2e%2e/%2e%2e/package.json",
    "/mails/%E0%A4%A",
    "/mails/%/html",
    "/calls/%ff",
    "//",
    "/?",
  ])("for %s gets the page, or a 404", async (path) => {
    expect((await send(path)).status).toBe(path === "/?" ? 200 : 404);
  });

  it("on a path that cannot be decoded is refused, and the server continues", async () => {
    for (const path of ["/terminals/%", "/payments/%E0%A4%A/resolve", "/webhooks/%ff/resend"])
      expect((await send(path, { ...someBody, method: "POST" })).status).toBe(422);
    expect((await send("/")).status).toBe(200);
  });
});

/** Lets the event loop turn twice: a server in this process learns in the next turn that its data was read. */
async function twoTurns(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

it("a page gets a snapshot that is longer than the allowed unread data, and the changes after it", async () => {
  const hooks = source.snapshot().webhooks.slice(0, 1);
  const long = Array.from({ length: 40 }, (_, n) =>
    hooks.map((hook) => ({ ...hook, id: `long-${n}`, body: "x".repeat(256 * 1024) })),
  ).flat();
  let listener = (_: Change) => {};
  const full = await serveLive({
    port: 0,
    source: {
      ...source,
      snapshot: () => ({ ...source.snapshot(), webhooks: long }),
      subscribe: (added) => {
        listener = added;
        return () => {};
      },
    },
  });
  try {
    const { body } = await fetch(new URL("stream", full.url));
    let received = 0;
    let end = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      received += chunk.length;
      end = (end + chunk).slice(-100);
      if (end.endsWith('"410"}}\n\n')) break;
      if (!end.endsWith("\n\n")) continue;
      await twoTurns(); // until then the server counts the snapshot as unread
      listener({ receiver: { answer: "410" } });
    }
    expect(received).toBeGreaterThan(10 * 1024 * 1024);
    expect(end).toMatch(/\n\nevent: change\ndata: .*"410"\}\}\n\n$/);
  } finally {
    await full.stop();
  }
});

describe("every response", () => {
  it.each(routes)("to %s %s runs only the page's own script, and is not cached", async (method, path) => {
    if (path === "/webhook" || path === "/v1/traces") return; // routes for programs
    const { headers } = await send(path, { ...someBody, method });
    const policy = headers["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("with the HTML of a mail is sandboxed, and runs no script at all", async () => {
    const { headers } = await send("/mails/mail-0/html");
    const policy = headers["content-security-policy"] ?? "";
    expect(policy).toMatch(/^sandbox;/);
    expect(policy).not.toContain("script-src");
  });
});
