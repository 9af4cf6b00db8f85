import { request, type Agent } from "node:http";
import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  publicOnlyAgents,
  RefusedAddress,
  type AddressRules,
} from "../../../shared/adapters/webhooks/public-only-agents.ts";
import { skippedIf } from "../../support/skipped.ts";
import { aPartnerServer } from "./partner-server.ts";

const noLookup = () => Promise.reject(new Error("DNS was asked for an address"));

/** Agents for the duration of a test. */
function agentsWith(rules: Partial<AddressRules>) {
  const agents = publicOnlyAgents({ allowLocal: false, resolve: noLookup, ...rules }, {});
  onTestFinished(() => Object.values(agents).forEach((agent) => agent.destroy()));
  return agents;
}

/** Resolves with the error of the request, or with undefined when a response has come. */
const errorOf = (agent: Agent, url: string) =>
  new Promise<Error | undefined>((resolve) => {
    request(url, { agent })
      .on("error", resolve)
      .on("response", () => resolve(undefined))
      .end();
  });

/** As a URL has it. */
const written = (ip: string) => (ip.includes(":") ? `[${ip}]` : ip);
const connectTo = (hostname: string, port: number, rules: Partial<AddressRules>) =>
  errorOf(agentsWith(rules).http, `http://${written(hostname)}:${port}/`);

describe("a connection, whatever was checked before", () => {
  it("is not made to this machine", async () => {
    const { port, connections } = await aPartnerServer((_, response) => response.end());
    expect(await connectTo("127.0.0.1", port, {})).toBeInstanceOf(RefusedAddress);
    expect(connections()).toBe(0);
  });

  it.each(["10.0.0.4", "169.254.169.254", "::1", "::ffff:127.0.0.1", "::127.0.0.1"])(
    "is not made to %s",
    async (ip) => {
      expect(await connectTo(ip, 443, {})).toBeInstanceOf(RefusedAddress);
      expect(await errorOf(agentsWith({}).https, `https://${written(ip)}/`)).toBeInstanceOf(RefusedAddress);
    },
  );

  it("is made to this machine on a local cloud, but to no private network", async () => {
    const { port } = await aPartnerServer((_, response) => response.end());
    expect(await connectTo("127.0.0.1", port, { allowLocal: true })).toBeUndefined();
    expect(await connectTo("10.0.0.4", port, { allowLocal: true })).toBeInstanceOf(RefusedAddress);
  });

  it.each(["localhost", "shop.localhost"])("is made to %s on a local cloud, without DNS", async (name) => {
    const { port } = await aPartnerServer((_, response) => response.end());
    expect(await connectTo(name, port, { allowLocal: true })).toBeUndefined();
  });

  it("is made to the host machine of containers on a local cloud: at the address that Docker resolves, otherwise on loopback", async () => {
    const { port } = await aPartnerServer((_, response) => response.end());
    const listed = { allowLocal: true, resolveContainerHost: () => Promise.resolve(["127.0.0.1"]) };
    const unlisted = { allowLocal: true, resolveContainerHost: () => Promise.reject(new Error("no such name")) };
    expect(await connectTo("host.docker.internal", port, listed)).toBeUndefined();
    expect(await connectTo("host.docker.internal", port, unlisted)).toBeUndefined();
  });

  it("is not made to the host machine of containers in the cloud, whatever DNS returns", async () => {
    const { port, connections } = await aPartnerServer((_, response) => response.end());
    const lies = {
      resolve: () => Promise.resolve(["127.0.0.1"]),
      resolveContainerHost: () => Promise.resolve(["127.0.0.1"]),
    };
    expect(await connectTo("host.docker.internal", port, lies)).toBeInstanceOf(RefusedAddress);
    expect(await connectTo("shop.localhost", port, lies)).toBeInstanceOf(RefusedAddress);
    expect(connections()).toBe(0);
  });
});

it.each([
  ["8.8.8.8", "127.0.0.1"],
  ["2606:4700::1111", "::1"],
])(
  "a connection is made to the very address that was checked, %s, whatever DNS answers afterwards",
  async (...answers) => {
    let queries = 0;
    const { https: agent } = agentsWith({ resolve: async () => [answers[queries++] ?? "::"] });
    const used: string[] = [];
    await new Promise((resolve) => {
      const sent = request("https://partner.example.com/", { agent }).on("error", resolve).end();
      // The socket tells each address just before it connects, and is destroyed: nothing leaves this machine.
      sent.once("socket", (socket) => socket.on("lookup", (_, ip) => (used.push(ip), socket.destroy())));
    });
    expect(used).toEqual([answers[0]]);
    expect(queries).toBe(1);
    expect(await errorOf(agent, "https://partner.example.com/")).toBeInstanceOf(RefusedAddress);
    expect(queries).toBe(2);
  },
);

const isIPv4Only = !Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
it.skipIf(isIPv4Only)(
  `a connection is made over IPv6${skippedIf(isIPv4Only, "this machine has no IPv6")}`,
  async () => {
    const { port } = await aPartnerServer((_, response) => response.end(), { address: "::1" });
    expect(await connectTo("::1", port, { allowLocal: true })).toBeUndefined();
  },
);
