import { expect, inject, it } from "vitest";
import { checksOf, findings } from "../../infra/azure/hooks/smoke-checks.ts";

it("the smoke test of a deployment finds nothing wrong with the running platform, and leaves nothing out", async () => {
  const { baseUrl, demo } = inject("stack");
  const [user = "", password = ""] = Buffer.from(demo.consumer.basic, "base64").toString().split(":");
  const isLocal = new URL(baseUrl).hostname === "127.0.0.1"; // the origin of the web application is known only there
  const { checks, leftOut } = checksOf({
    gatewayUrl: baseUrl,
    subscriptionKey: demo.subscriptionKey,
    consumerKey: demo.consumer.functionKeys["get-landing-page"],
    consumer: { user, password },
    ...(isLocal && { consumerWebOrigin: "http://localhost:8080" }),
  });
  expect(leftOut).toHaveLength(isLocal ? 0 : 1);
  expect(checks.length).toBeGreaterThanOrEqual(39);
  expect((await findings(checks)).map(({ check, wrong }) => `${check.what}: ${wrong}`)).toEqual([]);
});
