import { describe, expect, it } from "vitest";
import { startEchoBackend } from "../../../../../test/support/echo-backend.ts";
import { aGateway, headers } from "./a-gateway.ts";
import { policies, policyFolder } from "./policy-folder.ts";

describe("an answer that cannot be sent", () => {
  it("ends its connection, and not the gateway", async () => {
    const directory = await policyFolder({
      "policies/read.xml": policies({ outbound: '<set-header name="a"><value>\u20ac</value></set-header>' }),
    });
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url, directory });
    const ask = () => gateway.ask("/shop/things/1", { headers });
    for (let i = 0; i < 2; i++) await expect(ask()).rejects.toThrow("fetch failed");
  });
});
