import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { startEchoBackend } from "../../../common/test/echo-backend.ts";
import { listening } from "../../../common/test/listening.ts";
import { aGateway, headers } from "./a-gateway.ts";
import { globalPolicies, policies, policyFolder } from "./policy-folder.ts";

const header = (value: string) => `<set-header name="a"><value>${value}</value></set-header>`;
const source = '<set-header name="x-source"><value>@(context.LastError.Source)</value></set-header>';

describe("a header that cannot be sent", () => {
  it.each(["inbound", "outbound"])("fails where it is set, in %s", async (section) => {
    const directory = await policyFolder({
      "global.xml": globalPolicies({ "on-error": source }),
      "policies/read.xml": policies({ [section]: `<base />${header("\u20ac")}` }),
    });
    const backend = await startEchoBackend();
    const response = await (await aGateway({ backendUrl: backend.url, directory })).ask("/shop/things/1", { headers });
    expect([response.status, response.headers.get("x-source")]).toEqual([500, "set-header"]);
    expect(backend.seen).toHaveLength(section === "inbound" ? 0 : 1);
  });
});

describe("an expression that fails", () => {
  const broken =
    "@(context.Response.Headers.GetValueOrDefault(context.Response.Headers.GetValueOrDefault(&quot;none&quot;)))";

  it.each([
    ["set-header", header(broken)],
    ["set-variable", `<set-variable name="a" value="${broken}" />`],
    ["choose", `<choose><when condition="@(context.LastError.Reason == &quot;a&quot;)" /></choose>`],
    ["set-header", `<choose><when condition="true">${header(broken)}</when></choose>`],
    ["return-response", `<return-response><set-body>${broken}</set-body></return-response>`],
  ])("has the name of its policy, %s, for on-error", async (policy, content) => {
    const directory = await policyFolder({ "global.xml": globalPolicies({ outbound: content, "on-error": source }) });
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url, directory });
    expect((await gateway.ask("/shop/things/1", { headers })).headers.get("x-source")).toBe(policy);
  });

  it("tells the caller nothing of itself", async () => {
    const directory = await policyFolder({ "global.xml": globalPolicies({ outbound: header(broken) }) });
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url, directory });
    const response = await gateway.ask("/shop/things/1", { headers });
    expect([response.status, await response.json()]).toEqual([
      500,
      { statusCode: 500, message: "Internal server error", activityId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
  });
});

describe("the backend's response", () => {
  it("passes with another reason phrase where its own cannot be written", async () => {
    const strange = createServer((socket) => {
      socket.once("data", () => {
        socket.end(Buffer.from("HTTP/1.1 200 Gel\xe4nde\r\nContent-Length: 2\r\n\r\n{}", "latin1"));
      });
    });
    const backendUrl = `http://127.0.0.1:${await listening(strange)}`;
    const gateway = await aGateway({ backendUrl });
    const response = await gateway.ask("/shop/things/1", { headers });
    expect([response.status, response.statusText, await response.text()]).toEqual([200, "OK", "{}"]);
  });

  it("is a failure where one of its headers cannot be written, and the gateway goes on", async () => {
    const strange = createServer((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nX-Price: 1 \u0001\r\nContent-Length: 2\r\n\r\n{}"));
    });
    const gateway = await aGateway({ backendUrl: `http://127.0.0.1:${await listening(strange)}` });
    for (let i = 0; i < 2; i++) {
      const response = await gateway.ask("/shop/things/1", { headers });
      expect([response.status, response.headers.get("x-price")]).toEqual([500, null]);
      expect(await response.text()).toContain("The backend could not be reached");
    }
  });

  it("may take longer for its body than the time-out, which ends with its headers", async () => {
    const backend = await startEchoBackend((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
      setTimeout(() => response.end("}"), 1_300);
    });
    const directory = await policyFolder({
      "global.xml": globalPolicies({ backend: '<forward-request timeout="1" />' }),
    });
    const response = await (await aGateway({ backendUrl: backend.url, directory })).ask("/shop/things/1", { headers });
    expect([response.status, await response.text()]).toEqual([200, "{}"]);
  });

  it("keeps cookies apart, its own and added ones, and joins other headers", async () => {
    const backend = await startEchoBackend((response) =>
      response.writeHead(200, { "Set-Cookie": ["a=1; Expires=Thu, 01 Jan 2026", "b=2"], "X-List": "1" }).end(),
    );
    const outbound = `<base /><set-header name="Set-Cookie" exists-action="append"><value>c=3</value></set-header>
      <set-header name="x-list" exists-action="append"><value>2</value><value>3</value></set-header>`;
    const directory = await policyFolder({ "policies/read.xml": policies({ outbound }) });
    const response = await (await aGateway({ backendUrl: backend.url, directory })).ask("/shop/things/1", { headers });
    expect(response.headers.getSetCookie()).toEqual(["a=1; Expires=Thu, 01 Jan 2026", "b=2", "c=3"]);
    expect(response.headers.get("x-list")).toBe("1,2,3");
  });
});

describe("CDATA", () => {
  it("is text, in a body and in a header's value", async () => {
    const inbound = `<base /><return-response><set-status code="200" reason="OK" />
      <set-header name="x-own"><value><![CDATA[@(context.Api.Id + "&<")]]></value></set-header>
      <set-body><![CDATA[{"a":]]>1<![CDATA[}]]></set-body></return-response>`;
    const directory = await policyFolder({ "policies/read.xml": policies({ inbound }) });
    const gateway = await aGateway({ backendUrl: "http://127.0.0.1:9", directory });
    const response = await gateway.ask("/shop/things/1", { headers });
    expect([response.headers.get("x-own"), await response.text()]).toEqual(["shop&<", '{"a":1}']);
  });
});
