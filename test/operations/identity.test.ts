import { readdir } from "node:fs/promises";
import { ServiceBusClient } from "@azure/service-bus";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTables } from "../../infra/operator/common/create-tables.ts";
import { tokenFor } from "../support/identity-endpoint.ts";
import { startIdentityCloud } from "../support/identity-cloud.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const [STORAGE, SERVICE_BUS] = ["https://storage.azure.com", "https://servicebus.azure.net/"];

/**
 * Tokens that expire within the test. Those for Service Bus last 6 s but claim 122 s. Its client renews two minutes before the claimed end,
 * so it does so after 2 s.
 */
const lifetimeOf = (resource: string) =>
  resource === STORAGE ? { lastsMs: 4_000 } : { lastsMs: 6_000, saidMs: 122_000 };

let cloud: Awaited<ReturnType<typeof startIdentityCloud>>;
let webhooks: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  cloud = await startIdentityCloud(lifetimeOf);
  webhooks = await startWebhookServer(cloud.seeded.webhookSecret);
});
afterAll(async () => {
  await webhooks?.close();
  await cloud?.[Symbol.asyncDispose]();
});

/** Makes a payment and waits for its last webhook. Requests are repeated after a 503, as partners do. */
async function onePayment(): Promise<string> {
  const { partner } = cloud;
  const body = partner.onAutopilot({ responseWebhookUrl: webhooks.url, captureMode: "automatic" });
  await expect.poll(() => partner.pay(body)).toMatchObject({ status: 202 });
  await webhooks.until("payment.captured", body.sessionID);
  return body.sessionID;
}

describe("the deployed folder, alone and with an identity", () => {
  it("is what the build makes, without any other package", async () => {
    expect(new Set(await readdir(cloud.app))).toEqual(
      new Set([
        "main.cjs",
        ...["app.cjs", "identity.cjs", "mails.cjs", "traces.cjs"].flatMap((file) => [file, `${file}.map`]),
        "host.json",
        "package.json",
      ]),
    );
  });

  it("takes payments from the request to the webhook, even after every token of the start has expired", async () => {
    const paid = [await onePayment()];
    const firstEnd = Math.max(...cloud.identity.issued.map(({ expiresAt }) => expiresAt));
    while (Date.now() < firstEnd) paid.push(await onePayment());
    paid.push(await onePayment());
    for (const sessionID of paid) {
      expect(await cloud.partner.read(sessionID)).toMatchObject({ status: "captured" });
      expect(webhooks.types(sessionID).filter((type) => type === "payment.captured")).toHaveLength(1);
    }
    expect(webhooks.unverified).toEqual([]);
  });

  it("gets tokens of its own identity, only for tables and Service Bus", () => {
    const { issued, refused } = cloud.identity;
    expect(new Set(issued.map(({ resource }) => resource))).toEqual(new Set([STORAGE, SERVICE_BUS]));
    expect(new Set(issued.map(({ clientId }) => clientId))).toEqual(new Set([cloud.clientId]));
    expect(refused).toEqual([]);
  });

  it("is operated with the same settings", async () => {
    const sessionID = await onePayment();
    const { partnerID } = cloud.seeded;
    const replay = await cloud.admin("webhook", "replay", "--partner", partnerID, "--session", sessionID, "--json");
    expect(replay).toMatchObject({ code: 0, complaint: expect.stringContaining(cloud.tablesEndpoint) as string });
    const captured = () => webhooks.types(sessionID).filter((type) => type === "payment.captured");
    await expect.poll(captured).toHaveLength(2);
  });
});

describe("the tables of that cloud", () => {
  const read = async (authorization: string) =>
    (
      await fetch(`${cloud.tablesEndpoint}/Terminals()?$top=1`, {
        headers: { authorization, accept: "application/json" },
      })
    ).status;
  const bearer = (resource: string, endsInMs: number) => `Bearer ${tokenFor(resource, Date.now() + endsInMs)}`;

  it("accept a token for tables until it expires, and nothing else", async () => {
    expect(await read(bearer(STORAGE, 60_000))).toBe(200);
    expect(await read(bearer(STORAGE, -1_000))).toBe(403);
    expect(await read(bearer(SERVICE_BUS, 60_000))).toBe(403);
    const withKey = `DefaultEndpointsProtocol=https;AccountName=payments;AccountKey=a2V5;TableEndpoint=${cloud.tablesEndpoint}`;
    await expect(createTables(withKey)).rejects.toMatchObject({ statusCode: 400 }); // without valid credentials
  });
});

describe("the Service Bus of that cloud", () => {
  const namespace = () => `localhost:${cloud.broker.port}`;
  const peek = async (client: ServiceBusClient) => {
    try {
      return await client.createReceiver("deadlines").peekMessages(1);
    } finally {
      await client.close();
    }
  };
  const withToken = (resource: string, endsInMs: number) => {
    const expiresOnTimestamp = Date.now() + endsInMs;
    const getToken = async () => ({ token: tokenFor(resource, expiresOnTimestamp), expiresOnTimestamp });
    return new ServiceBusClient(namespace(), { getToken }, { retryOptions: { maxRetries: 0 } });
  };

  it("accepts a token for Service Bus until it expires, and no key", async () => {
    expect(await peek(withToken(SERVICE_BUS, 600_000))).toBeDefined();
    for (const client of [
      withToken(STORAGE, 600_000),
      withToken(SERVICE_BUS, -1_000),
      new ServiceBusClient(cloud.broker.connectionString, { retryOptions: { maxRetries: 0 } }),
    ])
      await expect(peek(client)).rejects.toMatchObject({ code: "UnauthorizedAccess" });
  });
});
