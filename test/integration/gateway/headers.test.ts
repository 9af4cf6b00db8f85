import { describe, expect, it } from "vitest";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";
import { invalidCredentials } from "../../../shared/edge/auth/invalid-credentials.ts";
import { notPlainJson } from "../../../shared/edge/http/read-body.ts";
import { aGateway, partnerHeaders, posting } from "./a-gateway.ts";
import { expectProblem } from "./expect-problem.ts";

// Headers that no function would get: the Functions host refuses bytes that are not UTF-8, and Node's worker characters beyond Latin-1.

/** A header's value for `fetch`, which takes bytes. */
const utf8 = (text: string) => Buffer.from(text).toString("latin1");
const CITY = utf8("Łódź");
const SAO = "S\u00e3o Paulo";

const terminal = { "x-terminal-key": "tk_1_secret" };
const consumer = { "x-functions-key": "a-key", Authorization: "Basic YTpi" };
const calls: readonly (readonly [string, string, RequestInit])[] = [
  ["a partner's request", "/pos-payment-request", posting({}, partnerHeaders)],
  ["a partner's read", "/settlements/2026-11-21", { headers: partnerHeaders }],
  ["a terminal's poll", "/terminals/next-message", { headers: terminal }],
  ["a terminal's report", "/terminals/report", posting({}, terminal)],
  ["a consumer's request", "/landing-page-request", posting({}, consumer)],
  ["a consumer's page", "/landing-page/1", { headers: consumer }],
  ["a probe", "/probes/health", {}],
];

/** A gateway whose backend accepts all: the status of a call, and the headers that the backend gets. */
async function accepting() {
  const backend = await startEchoBackend();
  const gateway = await aGateway({ backendUrl: backend.url });
  return async (path: string, init: RequestInit, added: Readonly<Record<string, string>>) => {
    const { status } = await gateway.ask(path, { ...init, headers: { ...(init.headers as {}), ...added } });
    return { status, headers: backend.seen.at(-1)?.headers ?? {} };
  };
}

it.each(calls)("%s reaches the function without headers that nobody can read", async (_, path, init) => {
  const send = await accepting();
  const odd = { "X-City": CITY, "X-Region": SAO, "X-Cafe": utf8("é"), tracestate: CITY };
  const read = await send(path, init, { ...odd, "User-Agent": "a/1 (b\t)", traceparent: "00-bad" });
  const replaced = { "x-city": "?", "x-region": "?", "x-cafe": "?", tracestate: "?" };
  expect(read).toMatchObject({
    status: 200,
    headers: { ...replaced, "user-agent": "a/1 (b\t)", traceparent: "00-bad" },
  });

  const ofFront = {
    "X-Forwarded-Proto": "https, http",
    "Disguised-Host": "a..b",
    "X-Waws-Unencoded-Url": "report",
    "Was-Default-Hostname": "a",
  };
  const { status, headers } = await send(path, init, ofFront);
  expect([status, Object.keys(ofFront).filter((name) => name.toLowerCase() in headers)]).toEqual([200, []]);
});

it("fifty-one such headers are replaced", async () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`x-${i}`, CITY]));
  const { headers } = await (await accepting())("/probes/health", {}, many);
  expect(headers).toMatchObject(Object.fromEntries(Object.keys(many).map((name) => [name, "?"])));
});

describe("a header of the platform's own that nobody can read", () => {
  it.each([
    ["apikey", "/pos-payment-request", posting({}, partnerHeaders)],
    ["Idempotency-Key", "/pos-payment-refund", posting({}, partnerHeaders)],
    ["x-terminal-key", "/terminals/report", posting({}, terminal)],
    ["Content-Type", "/terminals/report", posting({}, terminal)],
    ["Content-Encoding", "/terminals/report", posting({}, terminal)],
    ["x-functions-key", "/landing-page/1", { headers: consumer }],
    ["Authorization", "/landing-page-request", posting({}, consumer)],
  ])("(%s) is one that the function refuses, or reads a report without", async (name, path, init) => {
    const send = await accepting();
    for (const value of [CITY, SAO])
      expect(await send(path, init, { [name]: value })).toMatchObject({
        status: 200,
        headers: { [name.toLowerCase()]: "?" },
      });
  });

  it.each([
    ["Ocp-Apim-Subscription-Key", invalidCredentials("Ocp-Apim-Subscription-Key", "wrong")],
    ["Content-Type", notPlainJson],
    ["Content-Encoding", notPlainJson],
  ])("(%s) is refused by the gateway", async (name, problem) => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url });
    const init = posting({}, { ...partnerHeaders, [name]: CITY });
    await expectProblem(await gateway.ask("/pos-payment-request", init), problem);
    expect(backend.seen).toEqual([]);
  });
});

it("a terminal's call never ends with a refusal that no function wrote", async () => {
  for (const status of [400, 408, 413, 414, 415, 431]) {
    const backend = await startEchoBackend((response) => response.writeHead(status).end());
    const gateway = await aGateway({ backendUrl: backend.url });
    await expectProblem(
      await gateway.ask("/terminals/report", posting({}, terminal)),
      "dependency_unavailable",
      "/terminals/report",
    );
  }
});
