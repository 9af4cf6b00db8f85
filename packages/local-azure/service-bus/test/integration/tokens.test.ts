import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { QueueDeclaration } from "../../config.ts";
import { aDeclaration } from "../unit/a-queue.ts";
import { putToken, rawClient, type RawClient } from "./raw-client.ts";
import { queueName, runningBroker } from "./running-broker.ts";

const MINUTE_MS = 60_000;

/** A broker that requires tokens of Microsoft Entra ID. Its clock starts at the real time and moves by hand. */
const demandingBroker = (more: readonly QueueDeclaration[] = []) =>
  runningBroker({}, { tokens: "entra", queues: [aDeclaration({ name: queueName }), ...more] });

/** A token as Microsoft Entra ID writes it, except for its signature. `exp` is in seconds since 1970. */
const jwt = (claims: { readonly aud?: string; readonly exp?: number }): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256" })}.${part(claims)}.c2lnbmVk`;
};
const AUDIENCE = "https://servicebus.azure.net/";
const lasting = (ms: number, from: number) => jwt({ aud: AUDIENCE, exp: Math.floor((from + ms) / 1000) });

const statusOf = async (client: RawClient, body: string, type = "jwt", name = `sb://localhost/${queueName}`) =>
  (await putToken(client, { type, name, body })).application_properties;

/** Attaches to the queue. Resolves with "attached", or with the error with which the broker ends the link at once. */
async function attached(client: RawClient, address = queueName): Promise<string> {
  const link = client.connection.open_sender({ target: { address } });
  const ended = once(link, "sender_error").then(() => String((link.error as { condition?: string }).condition));
  return Promise.race([once(link, "sendable").then(() => "attached"), ended]);
}

describe("a broker that demands tokens of an identity", () => {
  it("lets nobody attach without one, and whoever has one", async () => {
    await using bus = await demandingBroker([aDeclaration({ name: "others" })]);
    await using client = await rawClient(bus.broker.port);
    expect(await attached(client)).toBe("amqp:unauthorized-access");
    const token = lasting(10 * MINUTE_MS, bus.clock.now());
    expect(await statusOf(client, token)).toEqual({ "status-code": 202, "status-description": "Accepted" });
    expect(await attached(client)).toBe("attached");
    expect(await attached(client, `${queueName}/$management`)).toBe("attached");
    expect(await attached(client, "others")).toBe("amqp:unauthorized-access");
    await using another = await rawClient(bus.broker.port);
    expect(await attached(another)).toBe("amqp:unauthorized-access");
  });

  it.each([
    ["a SAS", "servicebus.windows.net:sastoken", "SharedAccessSignature sr=x&sig=x&se=1&skn=x", "InvalidTokenType"],
    ["another audience", "jwt", jwt({ aud: "https://storage.azure.com", exp: 9_999_999_999 }), "InvalidAudience"],
    [
      "an audience that is only like it",
      "jwt",
      jwt({ aud: `${AUDIENCE}.example`, exp: 9_999_999_999 }),
      "InvalidAudience",
    ],
    ["a token that has expired", "jwt", lasting(-1_000, Date.now()), "ExpiredToken"],
    ["a token without an end", "jwt", jwt({ aud: AUDIENCE }), "ExpiredToken"],
    ["text", "jwt", "token", "InvalidToken"],
  ])("refuses %s", async (_, type, body, why) => {
    await using bus = await demandingBroker();
    await using client = await rawClient(bus.broker.port);
    expect(await statusOf(client, body, type)).toEqual({
      "status-code": 401,
      "status-description": expect.stringMatching(new RegExp(`^${why}: `)) as string,
    });
    expect(await attached(client)).toBe("amqp:unauthorized-access");
  });

  it("ends a link with its token, and leaves one whose token was put anew", async () => {
    await using bus = await demandingBroker();
    const { port } = bus.broker;
    await using forgetful = await rawClient(port);
    await using careful = await rawClient(port);
    const links = [];
    for (const client of [forgetful, careful]) {
      await statusOf(client, lasting(10 * MINUTE_MS, bus.clock.now()));
      const { link } = client.receive(queueName);
      await once(link, "receiver_open");
      links.push(link);
    }
    const [forgotten, kept] = links;
    if (!forgotten || !kept) throw new Error("there are two links");
    const ended = once(forgotten, "receiver_error");
    await statusOf(careful, lasting(20 * MINUTE_MS, bus.clock.now()));
    bus.clock.advance(10 * MINUTE_MS);
    await ended;
    expect(forgotten.error).toMatchObject({ condition: "amqp:unauthorized-access" });
    expect(await attached(forgetful)).toBe("amqp:unauthorized-access");
    expect(await attached(careful)).toBe("attached");
    expect(kept.is_open()).toBe(true);
    bus.clock.advance(10 * MINUTE_MS);
    await once(kept, "receiver_error");
  });

  it("forgets a connection's tokens with the connection", async () => {
    await using bus = await demandingBroker();
    const client = await rawClient(bus.broker.port);
    await statusOf(client, lasting(10 * MINUTE_MS, bus.clock.now()));
    await client.cut();
    await using next = await rawClient(bus.broker.port);
    expect(await attached(next)).toBe("amqp:unauthorized-access");
  });
});
