import { expect, it } from "vitest";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";
import { aGateway, policiesBehind } from "./a-gateway.ts";

// The caller's address, as the app gets it and limits count by it, if something stands before the gateway. A caller forges headers: without a
// front, around it, and through it.

const FRONT_DOOR = "6f2c1a34-0000-4000-8000-000000000001";

/** A call of `health` with these headers: its status, and the address that the app gets. */
async function addressOf(front: "none" | Parameters<typeof policiesBehind>[0], headers: Record<string, string>) {
  const backend = await startEchoBackend();
  const gateway = await aGateway({
    backendUrl: backend.url,
    namedValues: { "front-door-id": FRONT_DOOR },
    ...(front !== "none" && { directory: await policiesBehind(front) }),
  });
  const { status } = await gateway.ask("/probes/health", { headers });
  return { status, address: backend.seen[0]?.headers["x-client-address"] };
}

const forged = {
  "X-Azure-SocketIP": "203.0.113.9",
  "X-Forwarded-For": "203.0.113.9",
  "x-client-address": "203.0.113.9",
};

it.each([
  ["without a front, whatever its headers say", "none", forged, "127.0.0.1"],
  [
    "through Front Door",
    "front-door",
    { ...forged, "X-Azure-SocketIP": "198.51.100.7", "X-Azure-FDID": FRONT_DOOR },
    "198.51.100.7",
  ],
  [
    "through an application gateway",
    "application-gateway",
    { ...forged, "X-Forwarded-For": "203.0.113.9, 198.51.100.7:51234" },
    "198.51.100.7",
  ],
  [
    "through an application gateway, after something that nobody can read",
    "application-gateway",
    { "X-Forwarded-For": "S\u00e3o Paulo, 198.51.100.7:51234" },
    "198.51.100.7",
  ],
  [
    "through an application gateway, by IPv6",
    "application-gateway",
    { "X-Forwarded-For": "203.0.113.9,[2001:db8::7]:51234" },
    "[2001:db8::7]",
  ],
] as const)("the app gets the caller's own address %s", async (_, front, headers, address) => {
  expect(await addressOf(front, headers)).toEqual({ status: 200, address });
});

it.each([
  ["came around Front Door", {}],
  ["came through the Front Door of another", { "X-Azure-FDID": "6f2c1a34-0000-4000-8000-000000000002" }],
])("a call that %s has no such operation", async (_, headers) => {
  expect(await addressOf("front-door", { ...forged, ...headers })).toEqual({ status: 404, address: undefined });
});
