import { describe, expect, it } from "vitest";
import { aGateway, partnerHeaders, posting } from "./a-gateway.ts";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";

// Components in front of the functions respond instead of them: App Service's front end in HTML or text, the Functions host with an empty
// body.

const html = { "content-type": "text/html" };
const stopped = "<html><body>Error 403 - This web app is stopped.</body></html>";

const responses: readonly (readonly [string, number, Record<string, string>, string])[] = [
  ["the front end's page of a stopped app", 403, html, stopped],
  ["the front end's page of an app that does not start", 503, html, "<h2>Our services aren't available right now</h2>"],
  [
    "the front end's text of a host that restarts",
    503,
    { "content-type": "text/plain" },
    "Function host is not running.",
  ],
  ["the front end's page of an app that does not respond", 502, html, "<h1>502 Bad Gateway</h1>"],
  ["the front end's page of an app that is gone", 404, html, "<h1>404 Web Site not found.</h1>"],
  ["the host's empty 404 of a function that it did not load", 404, {}, ""],
  ["the host's empty 400 to a header that it cannot read", 400, {}, ""],
  ["the host's empty 401 to the gateway's own key", 401, {}, ""],
  ["the host's empty 429 while it has too much to do", 429, { "x-function-scaleout": "1" }, ""],
  ["the host's empty 500", 500, { server: "Kestrel" }, ""],
  ["the front end's time-out", 504, {}, ""],
];

async function behind(status: number, headers: Record<string, string>, body: string) {
  const backend = await startEchoBackend((response) => response.writeHead(status, headers).end(body));
  return aGateway({ backendUrl: backend.url, namedValues: { "consumer-web-origin": "https://shop.example" } });
}

const callers: readonly (readonly [string, string, RequestInit, readonly string[]])[] = [
  ["partner", "/pos-payment-request", posting({}, partnerHeaders), ["1"]],
  ["terminal", "/terminals/report", posting({}, { "x-terminal-key": "tk_1_secret" }), ["1", "2"]],
  ["prober", "/probes/health", {}, ["1"]],
];

describe.each(responses)("%s", (_, status, headers, body) => {
  it.each(callers)(
    "is reported to a %s as the platform's fault, in the platform's shape",
    async (_, path, init, waits) => {
      const response = await (await behind(status, headers, body)).ask(path, init);
      expect(response.status).toBe(503);
      expect(waits).toContain(response.headers.get("retry-after"));
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.json()).toMatchObject({
        code: "dependency_unavailable",
        retryable: true,
        requestID: response.headers.get("x-request-id"),
      });
      for (const name of ["server", "x-function-scaleout"]) expect(response.headers.get(name)).toBeNull();
    },
  );
});

describe("a consumer's page", () => {
  const page = "/landing-page/1";
  const headers = { "x-functions-key": "a-key", Origin: "https://shop.example" };

  it("learns from the host's empty 401 that its own key is wrong, and may read that", async () => {
    const response = await (await behind(401, {}, "")).ask(page, { headers });
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ code: "invalid_credentials" }),
    ]);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://shop.example");
  });

  it("learns from every other page that the platform does not respond", async () => {
    const response = await (await behind(403, html, stopped)).ask(page, { headers });
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ code: "dependency_unavailable" }),
    ]);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://shop.example");
  });
});

describe("a function's own response", () => {
  it.each([401, 403, 404, 429, 500, 503])("of %i passes unchanged", async (status) => {
    const own = { "content-type": "application/problem+json", "retry-after": "7" };
    const response = await (await behind(status, own, '{"code":"own"}')).ask(...callersOwn);
    expect([response.status, await response.text()]).toEqual([status, '{"code":"own"}']);
    expect(response.headers.get("retry-after")).toBe("7");
  });

  it("loses the headers that the host adds", async () => {
    const added = {
      "content-type": "application/json",
      "Request-Context": "appId=cid-v1:1",
      "x-function-scaleout": "1",
      server: "Kestrel",
    };
    const response = await (await behind(200, { ...added, "x-own": "kept" }, "{}")).ask(...callersOwn);
    expect(["request-context", "x-function-scaleout", "server"].filter((name) => response.headers.has(name))).toEqual(
      [],
    );
    expect(response.headers.get("x-own")).toBe("kept");
  });

  it("of no content passes", async () => {
    const response = await (
      await behind(204, {}, "")
    ).ask("/terminals/next-message", {
      headers: { "x-terminal-key": "tk_1_secret" },
    });
    expect(response.status).toBe(204);
  });
});

const callersOwn = ["/pos-payment-request", posting({}, partnerHeaders)] as const;
