import { describe, expect, it } from "vitest";
import { publicOnlyConnector, RefusedAddress } from "../../../shared/webhooks/public-only-connector.ts";
import { aPartnerServer } from "./partner-server.ts";

const noLookup = () => Promise.reject(new Error("DNS was asked for an address"));

/** Connects as undici would, having taken the URL apart; gives the error, or undefined once connected. */
const connectTo = (hostname: string, port: number, allowLocal: boolean) =>
  new Promise<Error | undefined>((done) => {
    const connect = publicOnlyConnector({ allowLocal, resolve: noLookup, timeoutMs: 5_000 });
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
});
