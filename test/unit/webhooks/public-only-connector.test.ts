import { describe, expect, it } from "vitest";
import {
  publicOnlyConnector,
  RefusedAddress,
  type ConnectorOptions,
} from "../../../shared/webhooks/public-only-connector.ts";
import { aPartnerServer } from "./partner-server.ts";

const noLookup = () => Promise.reject(new Error("DNS was asked for an address"));

/** Connects as undici would after parsing the URL. Resolves with the error, or with undefined once connected. */
const connectTo = (hostname: string, port: number, allowLocal: boolean, resolvers: Partial<ConnectorOptions> = {}) =>
  new Promise<Error | undefined>((done) => {
    const connect = publicOnlyConnector({ allowLocal, resolve: noLookup, timeoutMs: 5_000, ...resolvers });
    connect({ hostname, port: String(port), protocol: "http:" }, (error, socket) => {
      socket?.destroy();
      done(error ?? undefined);
    });
  });

describe("a connection, whatever was checked before", () => {
  it("is not made to this machine", async () => {
    const { port, connections } = await aPartnerServer((_, response) => response.end());
    expect(await connectTo("127.0.0.1", port, false)).toBeInstanceOf(RefusedAddress);
    expect(connections()).toBe(0);
  });

  it.each(["10.0.0.4", "169.254.169.254", "::1", "::ffff:127.0.0.1", "::127.0.0.1"])(
    "is not made to %s",
    async (ip) => {
      expect(await connectTo(ip, 443, false)).toBeInstanceOf(RefusedAddress);
    },
  );

  it("is made to this machine on a local cloud, but to no private network", async () => {
    const { port } = await aPartnerServer((_, response) => response.end());
    expect(await connectTo("127.0.0.1", port, true)).toBeUndefined();
    expect(await connectTo("10.0.0.4", port, true)).toBeInstanceOf(RefusedAddress);
  });

  it.each(["localhost", "shop.localhost"])("is made to %s on a local cloud, without DNS", async (name) => {
    const { port } = await aPartnerServer((_, response) => response.end());
    expect(await connectTo(name, port, true)).toBeUndefined();
  });

  it("is made to the host machine of containers on a local cloud: at the address that Docker resolves, otherwise on loopback", async () => {
    const { port } = await aPartnerServer((_, response) => response.end());
    const listed = { resolveContainerHost: () => Promise.resolve(["127.0.0.1"]) };
    const unlisted = { resolveContainerHost: () => Promise.reject(new Error("no such name")) };
    expect(await connectTo("host.docker.internal", port, true, listed)).toBeUndefined();
    expect(await connectTo("host.docker.internal", port, true, unlisted)).toBeUndefined();
  });

  it("is not made to the host machine of containers in the cloud, whatever DNS returns", async () => {
    const { port, connections } = await aPartnerServer((_, response) => response.end());
    const lies = {
      resolve: () => Promise.resolve(["127.0.0.1"]),
      resolveContainerHost: () => Promise.resolve(["127.0.0.1"]),
    };
    expect(await connectTo("host.docker.internal", port, false, lies)).toBeInstanceOf(RefusedAddress);
    expect(await connectTo("shop.localhost", port, false, lies)).toBeInstanceOf(RefusedAddress);
    expect(connections()).toBe(0);
  });
});
