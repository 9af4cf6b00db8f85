import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { startEchoBackend } from "../../../common/test/echo-backend.ts";
import { UNREADABLE_HEADER } from "../../expressions/unreadable-header.ts";
import { aGateway, headers, subscription, type RunningGateway } from "./a-gateway.ts";
import { policies, policyFolder } from "./policy-folder.ts";

/** Sends these headers unchanged. `fetch` would join and drop headers. */
async function askRaw(gateway: RunningGateway, sent: readonly string[]): Promise<IncomingMessage> {
  const host = ["Host", "localhost", "Ocp-Apim-Subscription-Key", subscription.primaryKey];
  const asked = request(`${gateway.url}/shop/things/1`, { headers: [...host, ...sent] });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  response.resume();
  return response;
}

describe("a header that a caller sends twice", () => {
  it("is joined by a comma for expressions and for the backend, none of its values lost", async () => {
    const backend = await startEchoBackend();
    const seen =
      '<base /><set-header name="x-seen"><value>@(context.Request.Headers.GetValueOrDefault("X-Twice"))</value></set-header>';
    const directory = await policyFolder({ "policies/read.xml": policies({ inbound: seen }) });
    const gateway = await aGateway({ backendUrl: backend.url, directory });
    await askRaw(gateway, ["X-Twice", "1", "X-Twice", "2", "Authorization", "a", "Authorization", "b"]);
    expect(backend.seen[0]?.headers).toMatchObject({ "x-twice": "1,2", "x-seen": "1,2", authorization: "a,b" });
  });
});

describe("a rate limit by key", () => {
  const limit =
    '<rate-limit-by-key calls="2" renewal-period="10" counter-key="one" retry-after-variable-name="wait" />';
  const onError = `<base /><set-header name="x-wait"><value>@(Convert.ToString(context.Variables["wait"]))</value></set-header>`;

  it("says in its variable how long to wait: whole seconds until the next call is accepted", async () => {
    const clock = { now: 0 };
    const inbound = `<base />${limit}`;
    const directory = await policyFolder({ "policies/read.xml": policies({ inbound, "on-error": onError }) });
    const gateway = await aGateway({
      backendUrl: (await startEchoBackend()).url,
      directory,
      now: () => clock.now,
    });
    const ask = async () => {
      clock.now += 1_000;
      const response = await gateway.ask("/shop/things/1", { headers });
      return [response.status, response.headers.get("x-wait")];
    };
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      [200, null],
      [200, null],
      [429, "3"],
      [429, "2"],
    ]);
  });
});

describe("an API that requires no subscription", () => {
  const open = { apis: [{ id: "shop", path: "shop", subscriptionRequired: false }], namedValues: [] };
  const ask = async (apis: readonly string[] | undefined, key: string | undefined) => {
    const directory = await policyFolder({
      "apis.json": JSON.stringify(open),
      "policies/read.xml": policies({
        inbound: '<base /><rate-limit calls="1" renewal-period="1" />',
      }),
    });
    const gateway = await aGateway({
      backendUrl: (await startEchoBackend()).url,
      directory,
      subscriptions: [{ ...subscription, apis }],
      now: () => 0,
    });
    const sent = key === undefined ? {} : { headers: { "Ocp-Apim-Subscription-Key": key } };
    const statuses = [await gateway.ask("/shop/things/1", sent), await gateway.ask("/shop/things/1", sent)];
    return statuses.map(({ status }) => status);
  };

  it.each([
    ["without a key", undefined, undefined, [200, 200]],
    ["with a key of its scope, which is counted", ["shop"], subscription.primaryKey, [200, 429]],
    ["with no key of another scope", ["other"], subscription.primaryKey, [401, 401]],
    ["with no key that is none", ["shop"], "wrong", [401, 401]],
  ])("lets in %s", async (_, apis, key, statuses) => {
    expect(await ask(apis, key)).toEqual(statuses);
  });
});

/** Allows pages of one origin to read. */
const cors = (origin: string) => `<cors terminate-unmatched-request="false">
    <allowed-origins><origin>${origin}</origin></allowed-origins><allowed-methods><method>GET</method></allowed-methods>
    <allowed-headers><header>a</header></allowed-headers><expose-headers><header>a</header></expose-headers></cors><base />`;

describe("any origin of loopback", () => {
  const allowed = async (listed: string, anyLoopbackOrigin: boolean) => {
    const directory = await policyFolder({ "policies/read.xml": policies({ inbound: cors(listed) }) });
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url, directory, anyLoopbackOrigin });
    const isAllowed = async (Origin: string) => {
      const preflight = { method: "OPTIONS", headers: { Origin, "Access-Control-Request-Method": "GET" } };
      const asked = await gateway.ask("/shop/things/1", preflight);
      const read = await gateway.ask("/shop/things/1", { headers: { ...headers, Origin } });
      const named = [asked, read].map((one) => one.headers.get("access-control-allow-origin"));
      expect(new Set(named).size).toBe(1);
      return named[0] === Origin;
    };
    const origins = [
      "http://localhost:5173",
      "http://127.0.0.1:3000",
      "https://[::1]:8443",
      "http://localhost.evil.example:5173",
      "http://127.0.0.1.evil.example",
      "https://evil.example",
      "null",
    ];
    return (await Promise.all(origins.map(isAllowed))).map(Number).join("");
  };

  it("is allowed where one is listed and the option is on, and nowhere else", async () => {
    expect(await allowed("http://localhost:8080", true)).toBe("1110000");
    expect(await allowed("http://localhost:8080", false)).toBe("0000000");
    expect(await allowed("https://shop.example", true)).toBe("0000000");
  });
});

describe("a page's origin", () => {
  it("is the same with and without its scheme's own port", async () => {
    const directory = await policyFolder({
      "policies/read.xml": policies({ inbound: cors("http://shop.example:80/") }),
    });
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url, directory });
    const Origin = "http://shop.example";
    const init = { method: "OPTIONS", headers: { Origin, "Access-Control-Request-Method": "GET" } };
    const response = await gateway.ask("/shop/things/1", init);
    expect(response.headers.get("access-control-allow-origin")).toBe(Origin);
  });
});

describe("a retry", () => {
  const name = 'context.Variables.GetValueOrDefault("name", "")';
  const unreadable = UNREADABLE_HEADER.replaceAll("&", "&amp;").replaceAll("'", "&apos;");
  const replacing = (count: number) => `<base />
    <retry condition='@(${name} != "")' count="${count}" interval="0">
      <set-variable name="name" value='@(${unreadable} ?? "")' />
      <choose><when condition='@(${name} != "")'>
        <set-header name='@(${name})' exists-action="override"><value>?</value></set-header>
      </when></choose>
    </retry>`;

  it("runs its content once, and again while its condition holds, but not more often than it says", async () => {
    const backend = await startEchoBackend();
    const directory = await policyFolder({ "policies/read.xml": policies({ inbound: replacing(2) }) });
    const gateway = await aGateway({ backendUrl: backend.url, directory });
    const odd = ["X-One", "\u00e9", "X-Two", "two", "X-Three", "3\u00a0", "X-Four", "\u00ff", "X-Five", "\u00ff"];
    await askRaw(gateway, odd);
    expect(backend.seen[0]?.headers).toMatchObject({
      "x-one": "?",
      "x-two": "two",
      "x-three": "?",
      "x-four": "?",
      "x-five": "\u00ff",
    });
  });

  it("ends with the response of its content", async () => {
    const answering = `<retry condition="true" count="50" interval="0">
      <return-response><set-status code="299" reason="Once" /></return-response></retry>`;
    const directory = await policyFolder({ "policies/read.xml": policies({ inbound: answering }) });
    const gateway = await aGateway({ backendUrl: "http://127.0.0.1:9", directory });
    expect((await gateway.ask("/shop/things/1", { headers })).status).toBe(299);
  });

  it.each(["Content-Length", "a b", ""])("fails where it computes %s as a header's name", async (computed) => {
    const inbound = `<base /><set-header name='@("${computed}")'><value>1</value></set-header>`;
    const onError = `<set-header name="x-source"><value>@(context.LastError.Source)</value></set-header>`;
    const directory = await policyFolder({ "policies/read.xml": policies({ inbound, "on-error": onError }) });
    const gateway = await aGateway({ backendUrl: "http://127.0.0.1:9", directory });
    const response = await gateway.ask("/shop/things/1", { headers });
    expect([response.status, response.headers.get("x-source")]).toEqual([500, "set-header"]);
  });
});
