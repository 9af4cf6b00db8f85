import { describe, expect, it } from "vitest";
import { invalidCredentials } from "../../../shared/edge/auth/invalid-credentials.ts";
import { documentedResponses } from "../../support/api-documents.ts";
import { aGateway, functionsKeys, posting, subscription } from "./a-gateway.ts";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";

const origin = "https://shop.example";
const consumerValues = { "consumer-web-origin": origin };
const page = "/landing-page/1";
const consumerHeaders = { "x-functions-key": "the-consumers-function-key" };
const terminalHeaders = { "x-terminal-key": "tk_1_secret" };

describe("a consumer's page", () => {
  it("passes its function key and Basic credentials on untouched", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const headers = { ...consumerHeaders, Authorization: "Basic dXNlcjpwYXNz" };
    const response = await gateway.ask("/landing-page-request", posting({}, headers));
    expect(response.status).toBe(200);
    expect(backend.seen[0]?.headers).toMatchObject({
      "x-functions-key": "the-consumers-function-key",
      authorization: "Basic dXNlcjpwYXNz",
    });
  });

  it("is refused without a function key", async () => {
    const backend = await startEchoBackend();
    const response = await (await aGateway({ backendUrl: backend.url })).ask(page);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject(invalidCredentials("x-functions-key", null));
    expect(backend.seen).toEqual([]);
  });

  it("may read a refusal with a body when the Functions host refuses its key without one", async () => {
    const backend = await startEchoBackend((response) => response.writeHead(401).end());
    const response = await (await aGateway({ backendUrl: backend.url })).ask(page, { headers: consumerHeaders });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      ...invalidCredentials("x-functions-key", "wrong"),
      requestID: response.headers.get("x-request-id"),
    });
  });

  it("is never let in with a subscription key, which belongs to another API", async () => {
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url });
    const headers = { ...consumerHeaders, "Ocp-Apim-Subscription-Key": subscription.primaryKey };
    const response = await gateway.ask(page, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject(invalidCredentials("Ocp-Apim-Subscription-Key", "wrong"));
  });

  it("may send a preflight request from the allowed origin", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url, namedValues: consumerValues });
    const response = await gateway.ask("/landing-page-request", {
      method: "OPTIONS",
      headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-allow-methods")).toContain("POST");
    expect(response.headers.get("access-control-allow-headers")).toContain("x-functions-key");
    expect(backend.seen).toEqual([]);
  });

  it("is allowed nothing when its preflight request comes from another origin", async () => {
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url, namedValues: consumerValues });
    const response = await gateway.ask("/landing-page-request", {
      method: "OPTIONS",
      headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "POST" },
    });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("may read responses and refusals in a browser, from the allowed origin only", async () => {
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url, namedValues: consumerValues });
    const ask = (headers: Record<string, string>) => gateway.ask(page, { headers });
    const answered = await ask({ ...consumerHeaders, Origin: origin });
    const refused = await ask({ Origin: origin });
    const elsewhere = await ask({ ...consumerHeaders, Origin: "https://elsewhere.example" });
    const allowed = [answered, refused, elsewhere].map(({ status, headers }) => [
      status,
      headers.get("access-control-allow-origin"),
    ]);
    expect(allowed).toEqual([
      [200, origin],
      [401, origin],
      [200, null],
    ]);
    const exposed = answered.headers.get("access-control-expose-headers")?.split(",") ?? [];
    const documented = documentedResponses.filter(({ api }) => api === "consumer").flatMap(({ headers }) => headers);
    expect([...exposed, "cache-control"]).toEqual(expect.arrayContaining(documented)); // cache-control needs no permission
  });

  it("that guesses keys is stopped by its address", async () => {
    const backend = await startEchoBackend((response) => response.writeHead(401).end());
    const gateway = await aGateway({
      backendUrl: backend.url,
      namedValues: { "consumer-address-calls-per-minute": "2" },
      now: () => 0,
    });
    const guess = async (key: string) => (await gateway.ask(page, { headers: { "x-functions-key": key } })).status;
    expect([await guess("a"), await guess("b"), await guess("c")]).toEqual([401, 401, 429]);
  });

  it("that calls too often learns when to retry", async () => {
    const gateway = await aGateway({
      backendUrl: (await startEchoBackend()).url,
      namedValues: { "consumer-address-calls-per-minute": "1" },
      now: () => 0,
    });
    const ask = () => gateway.ask(page, { headers: consumerHeaders });
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  });
});

describe("a terminal", () => {
  const next = "/terminals/next-message?wait=55";
  const post = posting({}, terminalHeaders);

  it.each([
    ["the platform is away", next, { headers: terminalHeaders }, {}, [1, 10]],
    ["the platform is away", "/terminals/report", post, {}, [1, 2]],
    ["the platform is away", "/terminals/day-totals", post, {}, [1, 2]],
    ["the platform is away", "/terminals/raise-action-request", post, {}, [1, 2]],
    // A token comes each five seconds.
    ["it calls too often", next, { headers: terminalHeaders }, { "terminal-calls-per-minute": "12" }, [5, 10]],
  ] as const)("waits at random if %s, so that not all come back together: %s", async (_, path, init, values, range) => {
    const gateway = await aGateway({ backendUrl: "http://127.0.0.1:1", namedValues: values, now: () => 0 });
    const wait = async () => Number((await gateway.ask(path, init)).headers.get("retry-after"));
    await Promise.all(Array.from({ length: 12 }, wait));
    const waits = await Promise.all(Array.from({ length: 300 }, wait));
    expect([Math.min(...waits), Math.max(...waits)]).toEqual(range);
  });

  it("passes its key on, with the gateway's function key instead of its own", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    await gateway.ask(next, { headers: { ...terminalHeaders, "x-functions-key": "the-callers-own" } });
    expect(backend.seen[0]).toMatchObject({
      url: "/next-message?wait=55",
      headers: { "x-terminal-key": "tk_1_secret", "x-functions-key": functionsKeys.terminals },
    });
  });

  it.each(["report", "raise-action-request"])("sends reports: %s", async (operation) => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    expect((await gateway.ask(`/terminals/${operation}`, posting({}, terminalHeaders))).status).toBe(200);
    expect(backend.seen[0]).toMatchObject({ method: "POST", url: `/${operation}` });
  });

  it("is refused without a terminal key", async () => {
    const response = await (await aGateway({ backendUrl: (await startEchoBackend()).url })).ask(next);
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining(invalidCredentials("x-terminal-key", null)),
    ]);
  });

  it("that calls too often is refused, but no other terminal is", async () => {
    const gateway = await aGateway({
      backendUrl: (await startEchoBackend()).url,
      namedValues: { "terminal-calls-per-minute": "1" },
      now: () => 0,
    });
    const ask = async (key: string) => (await gateway.ask(next, { headers: { "x-terminal-key": key } })).status;
    expect([await ask("one"), await ask("one"), await ask("another")]).toEqual([200, 429, 200]);
  });

  it("cannot guess more often by spelling its key anew each time", async () => {
    const refusal = { "content-type": "application/problem+json" };
    const gateway = await aGateway({
      backendUrl: (await startEchoBackend((response) => response.writeHead(401, refusal).end("{}"))).url,
      namedValues: { "terminal-address-calls-per-minute": "2" },
      now: () => 0,
    });
    const ask = async (key: string) => (await gateway.ask(next, { headers: { "x-terminal-key": key } })).status;
    expect([await ask("key"), await ask("Key"), await ask("kEy")]).toEqual([401, 401, 429]);
  });

  it("gets no content as no content", async () => {
    const backend = await startEchoBackend((response) => response.writeHead(204).end());
    const response = await (await aGateway({ backendUrl: backend.url })).ask(next, { headers: terminalHeaders });
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  it("that leaves a long poll ends the function's request too", async () => {
    const asked = Promise.withResolvers<void>();
    const backend = await startEchoBackend(() => asked.resolve());
    const gateway = await aGateway({ backendUrl: backend.url });
    const leave = new AbortController();
    const polling = gateway.ask(next, { headers: terminalHeaders, signal: leave.signal });
    await asked.promise;
    leave.abort();
    await expect(polling).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    await backend.abandoned;
  });
});
