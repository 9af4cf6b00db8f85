import { describe, expect, it } from "vitest";
import { invalidCredentials } from "../../../shared/edge/auth/invalid-credentials.ts";
import type { ProblemCode } from "../../../shared/contracts/objects/problem.ts";
import { notPlainJson, tooLarge } from "../../../shared/edge/http/read-body.ts";
import { aGateway, partnerHeaders, posting } from "./a-gateway.ts";
import { expectProblem } from "./expect-problem.ts";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";

const KEY = "Ocp-Apim-Subscription-Key";
const path = "/pos-payment-request";
const body = { sessionID: "5b3c1e57-8a5b-4f0e-9d86-4f5d5a1f6a10" };

describe("a partner is refused, before any function is called,", () => {
  const { [KEY]: _, ...withoutSubscription } = partnerHeaders;
  const { apikey: __, ...withoutApikey } = partnerHeaders;

  it.each([
    ["without a subscription key", withoutSubscription, "", invalidCredentials(KEY, null)],
    ["with a wrong subscription key", { ...partnerHeaders, [KEY]: "wrong" }, "", invalidCredentials(KEY, "wrong")],
    [
      "with a subscription key in the address, where logs keep it",
      withoutSubscription,
      "?subscription-key=primary-key",
      invalidCredentials(KEY, "wrong"),
    ],
    ["with a wrong one there", withoutSubscription, "?subscription-key=wrong", invalidCredentials(KEY, "wrong")],
    ["without an apikey", withoutApikey, "", invalidCredentials("apikey", null)],
    ["with an empty apikey", { ...partnerHeaders, apikey: "" }, "", invalidCredentials("apikey", null)],
  ])("%s, and learns which header it is", async (_, headers, query, problem) => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    await expectProblem(await gateway.ask(path + query, posting(body, headers)), problem);
    expect(backend.seen).toEqual([]);
  });

  it("with a body over 64 KiB", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const init = posting("a".repeat(64 * 1024), partnerHeaders);
    await expectProblem(await gateway.ask(path, init), tooLarge);
    expect(backend.seen).toEqual([]);
  });

  it.each([
    ["Content-Type", "text/plain"],
    ["Content-Type", "application/jsonx"],
    ["Content-Type", "application/x-www-form-urlencoded"],
    ["Content-Encoding", "gzip"],
    ["Content-Encoding", "identity, br"],
  ])("with a body of %s: %s", async (header, value) => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const init = posting(body, { ...partnerHeaders, [header]: value });
    await expectProblem(await gateway.ask(path, init), notPlainJson);
    expect(backend.seen).toEqual([]);
  });

  it.each(["", "identity", "Identity,IDENTITY, identity"])("but not with Content-Encoding: %s", async (coding) => {
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url });
    const init = posting(body, { ...partnerHeaders, "Content-Encoding": coding });
    expect(await gateway.ask(path, init)).toHaveProperty("status", 200);
  });

  it("with credentials first: a stranger does not learn what a valid body is", async () => {
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url });
    const init = posting(body, { ...withoutApikey, "Content-Type": "text/plain" });
    await expectProblem(await gateway.ask(path, init), invalidCredentials("apikey", null));
  });

  it("with too many calls, until the time that Retry-After names is over", async () => {
    const backend = await startEchoBackend();
    const clock = { now: 1_000_000 };
    const gateway = await aGateway({
      backendUrl: backend.url,
      namedValues: { "partner-calls-per-minute": "2" },
      now: () => clock.now,
    });
    const ask = () => gateway.ask(path, posting(body, partnerHeaders));
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    clock.now += 20_000;
    const refused = await ask();
    expect(refused.headers.get("retry-after")).toBe("10");
    expect(refused.headers.get("ratelimit")).toBe('"calls";r=0;t=10');
    await expectProblem(refused, "rate_limited");
    clock.now += 9_000;
    expect((await ask()).status).toBe(429);
    clock.now += 1_000;
    expect((await ask()).status).toBe(200);
    expect(backend.seen).toHaveLength(3);
  });

  it("with too many lists by one key, while its other calls and other keys get through", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url, namedValues: { "partner-lists-per-minute": "2" } });
    const read = (path: string, key = "pk_1_secret") =>
      gateway.ask(path, { headers: { ...partnerHeaders, apikey: key } });
    const lists = [await read("/pos-payments"), await read("/settlements/2026-11-21")];
    expect(lists.map(({ headers }) => headers.get("ratelimit"))).toEqual(['"lists";r=1', '"lists";r=0']);
    expect(lists[0]?.headers.get("ratelimit-policy")).toMatch(/^"calls";q=\d+;w=60, "lists";q=2;w=60$/);
    await expectProblem(await read("/pos-payments"), "rate_limited", "/pos-payments");
    expect((await read("/settlements/2026-11-21")).status).toBe(429);
    expect((await read("/pos-payment/s1")).status).toBe(200);
    expect((await read("/pos-payments", "pk_2_secret")).status).toBe(200);
  });

  it("if no function host responds, and learns when to retry", async () => {
    const gateway = await aGateway({ backendUrl: "http://127.0.0.1:1" });
    const response = await gateway.ask(path, posting(body, partnerHeaders));
    expect(response.headers.get("retry-after")).toBe("1");
    await expectProblem(response, "dependency_unavailable");
  });

  it("if the function host hangs up", async () => {
    const backend = await startEchoBackend((response) => response.destroy());
    const gateway = await aGateway({ backendUrl: backend.url });
    await expectProblem(await gateway.ask(path, posting(body, partnerHeaders)), "dependency_unavailable");
  });

  it.each([
    ["GET", "/unknown"],
    ["GET", "/partners"],
    ["GET", "/unknown/pos-payment/1"],
    ["GET", '/a"b\\c'],
    ["POST", "/pos-payment-request/"],
  ])("requesting something that does not exist: %s %s", async (method, asked) => {
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url });
    const response = await gateway.ask(asked, { method, headers: partnerHeaders });
    expect(response.status).toBe(404);
    const requestId = response.headers.get("x-request-id");
    expect(await response.json()).toMatchObject({
      type: "about:blank",
      code: "not_found",
      requestID: requestId,
    });
  });

  it.each([
    ["GET", "/pos-payment-request", "POST"],
    ["OPTIONS", "/pos-payment-request", "POST"],
    ["DELETE", "/POS-Payment/5e551011-0000-4000-8000-000000000001", "GET"],
    ["POST", "/settlements/2026-11-21/file", "GET"],
    ["PUT", "/set-pos-status", "PATCH"],
    ["GET", "/landing-page-request", "POST"],
    ["PUT", "/landing-page/1c2d3e4f-5061-4273-9485-b6c7d8e9fa0b", "GET"],
    ["GET", "/terminals/report", "POST"],
  ])("with a method that its path does not have: %s %s", async (method, asked, allow) => {
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url });
    const response = await gateway.ask(asked, { method, headers: partnerHeaders });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    await expectProblem(response, "method_not_allowed", asked);
    const head = await gateway.ask(asked, { method: "HEAD", headers: partnerHeaders });
    expect([head.status, head.headers.get("allow")]).toEqual([405, allow]);
  });

  it("with the address of the problem's section, if the page is published", async () => {
    const pagesUrl = "https://docs.example/problems";
    const namedValues = { "problem-pages-url": pagesUrl };
    const gateway = await aGateway({ backendUrl: "http://127.0.0.1:1", namedValues });
    const refused: readonly (readonly [ProblemCode, string, RequestInit])[] = [
      ["invalid_credentials", path, posting(body, withoutApikey)],
      ["not_found", "/unknown", {}],
      ["unsupported_media_type", path, posting(body, { ...partnerHeaders, "Content-Type": "text/plain" })],
      ["body_too_large", path, posting("a".repeat(64 * 1024), partnerHeaders)],
      ["dependency_unavailable", path, posting(body, partnerHeaders)],
    ];
    for (const [code, asked, init] of refused)
      expect(await (await gateway.ask(asked, init)).json()).toMatchObject({
        code,
        type: `${pagesUrl}#${code}`,
      });
  });

  it("in the content type of problems, if the partner accepts it", async () => {
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url });
    const accept = { Accept: "application/json, application/problem+json" };
    const responses = [
      await gateway.ask(path, posting(body, { ...withoutApikey, ...accept })),
      await gateway.ask("/unknown", { headers: accept }),
      await gateway.ask(path, posting(body, { ...partnerHeaders, ...accept, "Content-Type": "text/plain" })),
      await gateway.ask(`${path}?subscription-key=a`, posting(body, { ...partnerHeaders, ...accept })),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 404, 415, 401]);
    for (const { headers } of responses) expect(headers.get("content-type")).toBe("application/problem+json");
  });
});
