import { describe, expect, it } from "vitest";
import { aGateway, headers } from "./a-gateway.ts";
import { startEchoBackend, type EchoBackend } from "../../../common/test/echo-backend.ts";
import { globalPolicies, policies, policyFolder } from "./policy-folder.ts";

const mark = (who: string) => `<set-header name="x-order" exists-action="append"><value>${who}</value></set-header>`;
const backendService = '<set-backend-service base-url="{{functions-url}}" />';
const fail =
  '<check-header name="x-absent" failed-check-httpcode="403" failed-check-error-message="No." ignore-case="true" />';

/** Requests a thing through the test's own policies. */
async function askThing(files: Record<string, string>, backend: EchoBackend, path = "/shop/things/7") {
  const gateway = await aGateway({ backendUrl: backend.url, directory: await policyFolder(files) });
  return gateway.ask(path, { headers });
}

describe("the sections of global, product, API and operation", () => {
  it("stand in each other where <base /> is, going in and coming out", async () => {
    const backend = await startEchoBackend();
    const around = (who: string) => `${mark(`${who}-before`)}<base />${mark(`${who}-after`)}`;
    const all = (who: string) => policies({ inbound: around(who), outbound: around(who) });
    const response = await askThing(
      {
        "global.xml": globalPolicies({ inbound: `${backendService}${mark("global")}`, outbound: mark("global") }),
        "products/starter.xml": all("product"),
        "apis/shop.xml": all("api"),
        "policies/read.xml": all("operation"),
      },
      backend,
    );
    const order = "operation-before,api-before,product-before,global,product-after,api-after,operation-after";
    expect(backend.seen[0]?.headers["x-order"]).toBe(order);
    expect(response.headers.get("x-order")).toBe(order);
  });

  it("are cut off where an inner scope has no <base />", async () => {
    const backend = await startEchoBackend();
    const response = await askThing(
      {
        "global.xml": globalPolicies({ outbound: mark("global") }),
        "apis/shop.xml": policies({ outbound: mark("api") }),
        "policies/read.xml": policies({ outbound: `<base />${mark("operation")}` }),
      },
      backend,
    );
    expect(response.headers.get("x-order")).toBe("api,operation");
  });

  it("forward nothing where <backend> is empty", async () => {
    const backend = await startEchoBackend();
    const response = await askThing({ "policies/read.xml": policies({ backend: "" }) }, backend);
    expect(response.status).toBe(200);
    expect(backend.seen).toEqual([]);
  });

  it("take a fragment's policies in at its place", async () => {
    const backend = await startEchoBackend();
    const inbound = `<base />${mark("before")}<include-fragment fragment-id="middle" />${mark("after")}`;
    await askThing(
      { "fragments/middle.xml": `<fragment>${mark("middle")}</fragment>`, "policies/read.xml": policies({ inbound }) },
      backend,
    );
    expect(backend.seen[0]?.headers["x-order"]).toBe("before,middle,after");
  });
});

describe("an error", () => {
  it("leads to on-error of all scopes; outbound and the backend are left out", async () => {
    const backend = await startEchoBackend();
    const response = await askThing(
      {
        "global.xml": globalPolicies({ outbound: mark("outbound"), "on-error": mark("global") }),
        "apis/shop.xml": policies({ inbound: `${fail}<base />`, "on-error": `<base />${mark("api")}` }),
        "policies/read.xml": policies({ "on-error": `${mark("operation")}<base />` }),
      },
      backend,
    );
    expect(response.headers.get("x-order")).toBe("operation,global,api");
    expect(response.status).toBe(403);
    expect(backend.seen).toEqual([]);
  });

  it("without on-error is answered as API Management itself does", async () => {
    const response = await askThing({ "apis/shop.xml": policies({ inbound: fail }) }, await startEchoBackend());
    expect(await response.json()).toEqual({ statusCode: 403, message: "No." });
  });

  it("in an outbound section leads to on-error, too", async () => {
    const broken = '<set-header name="x"><value>@(context.LastError.Reason)</value></set-header>';
    const onError = '<set-header name="x-reason"><value>@(context.LastError.Reason)</value></set-header>';
    const response = await askThing(
      { "global.xml": globalPolicies({ outbound: broken, "on-error": onError }) },
      await startEchoBackend(),
    );
    expect(response.status).toBe(500);
    expect(response.headers.get("x-reason")).toBe("ExpressionValueEvaluationFailure");
  });

  it("of a request that no operation is for meets the global scope alone", async () => {
    const backend = await startEchoBackend();
    const files = {
      "global.xml": globalPolicies({ "on-error": mark("global") }),
      "apis/shop.xml": policies({ "on-error": `<base />${mark("api")}` }),
    };
    const response = await askThing(files, backend, "/shop/unknown");
    expect(response.status).toBe(404);
    expect(response.headers.get("x-order")).toBe("global");
  });

  it("is a Timeout where the backend does not answer in the seconds given", async () => {
    const backend = await startEchoBackend(() => {});
    const onError = '<set-header name="x-reason"><value>@(context.LastError.Reason)</value></set-header>';
    const files = {
      "global.xml": globalPolicies({ backend: '<forward-request timeout="1" />', "on-error": onError }),
    };
    const response = await askThing(files, backend);
    expect(response.headers.get("x-reason")).toBe("Timeout");
  });
});

describe("return-response", () => {
  it("answers with nothing but what it says, and leaves out backend and outbound", async () => {
    const backend = await startEchoBackend();
    const inbound = `<base /><return-response>
      <set-status code="202" reason="Fine" /><set-header name="x-own"><value>yes</value></set-header><set-body>done</set-body>
    </return-response>${fail}`;
    const response = await askThing(
      { "policies/read.xml": policies({ inbound, outbound: `<base />${mark("outbound")}` }) },
      backend,
    );
    expect([response.status, response.statusText, await response.text()]).toEqual([202, "Fine", "done"]);
    expect(response.headers.get("x-own")).toBe("yes");
    expect(response.headers.get("x-order")).toBeNull();
    expect(backend.seen).toEqual([]);
  });
});

describe("choose", () => {
  const choose = (header: string) => `<base /><choose>
    <when condition='@(context.Request.Headers.GetValueOrDefault("${header}", "") != "")'>${mark("first")}</when>
    <when condition='@(context.Operation.Id == "read" &amp;&amp; context.Api.Id == "shop")'>${mark("second")}</when>
    <otherwise>${mark("otherwise")}</otherwise>
  </choose>`;

  it.each([
    ["host", "/shop/things/7", "first"],
    ["x-absent", "/shop/things/7", "second"],
    ["x-absent", "/shop/things/newest", "otherwise"],
  ])("with %s at %s takes the branch %s", async (header, path, branch) => {
    const backend = await startEchoBackend();
    const document = policies({ inbound: choose(header) });
    await askThing({ "policies/read.xml": document, "policies/newest.xml": document }, backend, path);
    expect(backend.seen[0]?.headers["x-order"]).toBe(branch);
  });
});

describe("what goes on to the backend", () => {
  it("has the path without the API's own segment, and the query as it was", async () => {
    const backend = await startEchoBackend();
    await askThing({}, backend, "/shop/things/a%20b?q=1&q=%262");
    expect(backend.seen[0]).toMatchObject({ method: "GET", url: "/things/a%20b?q=1&q=%262" });
  });

  it("can be another path", async () => {
    const backend = await startEchoBackend();
    const inbound = '<base /><rewrite-uri template="/v2/{thing}" copy-unmatched-params="false" />';
    await askThing({ "policies/read.xml": policies({ inbound }) }, backend, "/shop/things/7?q=1");
    expect(backend.seen[0]?.url).toBe("/v2/7");
  });

  it("is never a path that the template was not matched on", async () => {
    const backend = await startEchoBackend();
    const response = await askThing({}, backend, "/shop/things/%2e%2E");
    expect(response.status).toBe(404);
    expect(backend.seen).toEqual([]);
  });
});
