import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { aGateway, headers } from "./a-gateway.ts";
import { startEchoBackend } from "../../../common/test/echo-backend.ts";

/** A request that the backend has received but not answered. */
async function aRequestUnderWay() {
  const arrived = Promise.withResolvers<ServerResponse>();
  const backend = await startEchoBackend((response) => arrived.resolve(response));
  const gateway = await aGateway({ backendUrl: backend.url });
  const answered = gateway.ask("/shop/things/1", { headers });
  return { gateway, backend, answered, atTheBackend: await arrived.promise };
}

describe("a gateway that is stopped", () => {
  it("lets what is under way finish, and takes nothing new", async () => {
    const { gateway, answered, atTheBackend } = await aRequestUnderWay();
    const stopped = gateway.stop();
    await expect(gateway.ask("/shop/things/1")).rejects.toThrow("fetch failed");
    atTheBackend.writeHead(202).end();
    expect((await answered).status).toBe(202);
    await stopped;
  });

  it("does not wait for an answer that does not come: both sides see that it is gone", async () => {
    const { gateway, backend, answered } = await aRequestUnderWay();
    await Promise.all([expect(answered).rejects.toThrow("fetch failed"), gateway.stop()]);
    await backend.abandoned;
  });
});
