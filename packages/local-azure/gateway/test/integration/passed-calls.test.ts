import { expect, it } from "vitest";
import { startEchoBackend } from "../../../common/test/echo-backend.ts";
import type { PassedCall } from "../../gateway.ts";
import { aGateway, headers } from "./a-gateway.ts";
import { policies, policyFolder } from "./policy-folder.ts";

const create = {
  post: { operationId: "create", requestBody: { content: { "application/json": { schema: { type: "object" } } } } },
};
const files = {
  "openapi/shop.json": JSON.stringify({ openapi: "3.0.3", paths: { "/things": create } }),
  "policies/create.xml": policies({
    inbound: '<base /><set-header name="x-key" exists-action="override"><value>of-the-backend</value></set-header>',
    outbound: '<base /><set-header name="x-added" exists-action="override"><value>yes</value></set-header>',
  }),
};

async function aWatchedGateway(backendUrl: string, isWatched = true) {
  const calls: PassedCall[] = [];
  const heard = Promise.withResolvers<PassedCall>();
  const passed = {
    isWatched: () => isWatched,
    publish(call: PassedCall) {
      calls.push(call);
      heard.resolve(call);
    },
  };
  // The gateway would reject policies of operations that are not in the document.
  const directory = await policyFolder(files, ["policies/read.xml", "policies/newest.xml"]);
  return { ...(await aGateway({ backendUrl, directory, passed })), calls, first: heard.promise };
}

it("publishes a call as its caller sees it, without what the backend gets", async () => {
  const backend = await startEchoBackend();
  const gateway = await aWatchedGateway(backend.url);
  const sent = { ...headers, "content-type": "application/json" };
  const began = Date.now();
  await gateway.ask("/shop/things?size=2", { method: "POST", headers: sent, body: '{"name":"å"}' });
  const call = await gateway.first;
  expect(call).toMatchObject({
    api: "shop",
    operation: "create",
    method: "POST",
    path: "/shop/things?size=2",
    requestBody: '{"name":"å"}',
    status: 200,
    responseBody: "{}",
  });
  expect(call.requestHeaders).toContainEqual(["Ocp-Apim-Subscription-Key", "primary-key"]);
  expect(call.responseHeaders).toContainEqual(["x-added", "yes"]);
  expect(call.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(call.at).toBeGreaterThanOrEqual(began);
  expect(call.ms).toBeGreaterThan(0);
  expect(backend.seen[0]?.headers["x-key"]).toBe("of-the-backend");
  expect(JSON.stringify(call)).not.toContain("of-the-backend");
});

it.each([
  ["that a policy refuses", "/shop/things", "POST", { api: "shop", operation: "create", status: 401, requestBody: "" }],
  ["of no operation", "/elsewhere", "GET", { api: undefined, operation: undefined, status: 404 }],
])("publishes a call %s", async (_, path, method, expected) => {
  const backend = await startEchoBackend();
  const gateway = await aWatchedGateway(backend.url);
  const response = await gateway.ask(path, { method });
  const call = await gateway.first;
  expect(call).toMatchObject({ method, path, ...expected });
  expect(call.responseBody).toBe(await response.text());
});

it("publishes a call whose caller went away, as 499", async () => {
  const backend = await startEchoBackend(() => {}); // it never responds
  const gateway = await aWatchedGateway(backend.url);
  const gone = new AbortController();
  const call = gateway.ask("/shop/things", { method: "POST", headers, signal: gone.signal });
  await expect.poll(() => backend.seen.length, { timeout: 20_000 }).toBe(1);
  gone.abort();
  await expect(call).rejects.toThrow("aborted");
  expect(await gateway.first).toMatchObject({ operation: "create", status: 499, responseBody: "" });
});

it("publishes the first 64 KiB of a response's body", async () => {
  const backend = await startEchoBackend((response) => response.end("x".repeat(100_000)));
  const gateway = await aWatchedGateway(backend.url);
  await gateway.ask("/shop/things", { method: "POST", headers });
  expect((await gateway.first).responseBody).toHaveLength(65_536);
});

it("publishes nothing while it is not watched", async () => {
  const backend = await startEchoBackend();
  const gateway = await aWatchedGateway(backend.url, false);
  await gateway.ask("/shop/things", { method: "POST", headers });
  await gateway.stop();
  expect(gateway.calls).toEqual([]);
});
