import { expect, it } from "vitest";
import { startEchoBackend } from "../../../common/test/echo-backend.ts";
import { aGateway, headers } from "./a-gateway.ts";
import { policies, policyFolder } from "./policy-folder.ts";

const declaration = {
  apis: [{ id: "shop", path: "shop", subscriptionRequired: true, product: "starter" }],
  namedValues: [{ name: "key", secret: true }],
};
const inbound = '<base /><set-header name="x-key" exists-action="override"><value>{{key}}</value></set-header>';

it("a named value is replaced without a restart; values that the policies refuse change nothing", async () => {
  const backend = await startEchoBackend();
  const files = { "apis.json": JSON.stringify(declaration), "policies/read.xml": policies({ inbound }) };
  const directory = await policyFolder(files);
  const gateway = await aGateway({ backendUrl: backend.url, directory, namedValues: { key: "one" } });
  const keySent = async () => {
    expect((await gateway.ask("/shop/things/1", { headers })).status).toBe(200);
    return backend.seen.at(-1)?.headers["x-key"];
  };
  expect(await keySent()).toBe("one");
  await gateway.setNamedValues({ key: "two" });
  expect(await keySent()).toBe("two");
  await expect(gateway.setNamedValues({})).rejects.toThrow("the named value key is not given");
  expect(await keySent()).toBe("two");
});
