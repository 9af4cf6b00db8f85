import { setInterval as every } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { webhookSender } from "../../../shared/adapters/webhooks/sender.ts";
import { answering, aSender, aWebhook } from "./a-sender.ts";
import { aPartnerServer, aRawServer } from "./partner-server.ts";

describe("what the partner's server receives", () => {
  it("is a POST of the frozen body with the Standard Webhooks headers", async () => {
    const partner = await answering(200);
    const outcome = await aSender().send(aWebhook(partner.url));
    expect(outcome).toEqual({ kind: "delivered", status: 200, ms: expect.any(Number) });
    const { url: _, ...sent } = aWebhook(partner.url);
    expect(partner.received).toEqual([
      {
        method: "POST",
        path: "/hook?from=terminal",
        body: sent.body,
        headers: expect.objectContaining({
          "content-type": "application/json",
          "user-agent": expect.stringMatching(/./),
          "webhook-id": sent.id,
          "webhook-timestamp": "1795255200",
          "webhook-signature": sent.signature,
          traceparent: sent.traceparent,
        }),
      },
    ]);
  });

  it("has no traceparent when the request had none", async () => {
    const partner = await answering(204);
    const { traceparent: _, ...untraced } = aWebhook(partner.url);
    expect(await aSender().send(untraced)).toMatchObject({ kind: "delivered", status: 204 });
    expect(partner.received[0]?.headers).not.toHaveProperty("traceparent");
  });

  it("uses a connection again for consecutive webhooks", async () => {
    const partner = await answering(200);
    const sender = aSender();
    for (let i = 0; i < 10; i++) await sender.send(aWebhook(partner.url));
    expect(partner.received).toHaveLength(10);
    expect(partner.connections()).toBeLessThan(10);
  });

  it(
    "leaves no connection idle for longer than seconds, although the server offers minutes",
    { timeout: 20_000 },
    async () => {
      const closed = Promise.withResolvers<void>();
      const url = await aRawServer((socket) => {
        socket.on("data", () =>
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nkeep-alive: timeout=600\r\n\r\n"),
        );
        socket.on("close", () => closed.resolve());
      });
      expect(await aSender().send(aWebhook(url))).toMatchObject({ kind: "delivered" });
      await closed.promise;
    },
  );

  it("arrives at the name localhost on a local cloud", async () => {
    const partner = await answering(200);
    const outcome = await aSender().send(aWebhook(`http://localhost:${partner.port}/`));
    expect(outcome).toMatchObject({ kind: "delivered" });
  });
});

describe("a response of the partner's server", () => {
  it("410 ends the deliveries", async () => {
    const partner = await answering(410);
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({ kind: "gone", status: 410 });
  });

  it.each([300, 304, 400, 404, 500, 502])("%i is a failure", async (code) => {
    const partner = await answering(code);
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({
      kind: "failed",
      status: code,
      reason: "status",
    });
  });

  it.each([301, 302, 303, 307, 308])("%i is a failure, and the redirect is not followed", async (code) => {
    const elsewhere = await answering(200);
    const partner = await answering(code, { location: elsewhere.url });
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({
      kind: "failed",
      status: code,
      reason: "status",
    });
    expect(elsewhere.connections()).toBe(0);
  });

  it.each([
    [429, "120"],
    [429, "Sat, 21 Nov 2026 10:02:00 GMT"],
    [503, "120"],
    [503, "Sat, 21 Nov 2026 10:02:00 GMT"],
  ])("%i with Retry-After %s sets the pause before the next attempt", async (code, retryAfter) => {
    const partner = await answering(code, { "retry-after": retryAfter });
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({ status: code, retryAfterSeconds: 120 });
  });

  it("500 with Retry-After does not", async () => {
    const partner = await answering(500, { "retry-after": "120" });
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({ status: 500, retryAfterSeconds: undefined });
  });

  it("a body without an end is cut off, and the status counts", async () => {
    const cut = Promise.withResolvers<void>();
    const partner = await aPartnerServer((_, response) => {
      response.on("close", cut.resolve);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      };
      response.writeHead(200).on("drain", more);
      more();
    });
    // An hour, so that only the limit on the body can cut it off.
    const outcome = await aSender({ timeoutMs: 3_600_000 }).send(aWebhook(partner.url));
    expect(outcome).toMatchObject({ kind: "delivered", status: 200 });
    await cut.promise;
  });

  it("a slow body is cut off at the deadline, and the status counts", async () => {
    const cut = Promise.withResolvers<void>();
    const partner = await aPartnerServer(async (_, response) => {
      response.on("close", cut.resolve).writeHead(200);
      for await (const _ of every(10)) {
        if (response.destroyed) return;
        response.write(".");
      }
    });
    const outcome = await aSender({ timeoutMs: 300 }).send(aWebhook(partner.url));
    expect(outcome).toMatchObject({ kind: "delivered", status: 200 });
    await cut.promise;
  });
});

describe("wrong calls of the sender", () => {
  it("an identifier that fits into no header throws instead of counting as an attempt", async () => {
    const partner = await answering(200);
    await expect(aSender().send({ ...aWebhook(partner.url), id: "a\r\nb" })).rejects.toThrow("Invalid");
  });

  it("sending after the sender was closed throws", async () => {
    const partner = await answering(200);
    const sender = webhookSender({ allowLocal: true });
    await sender.close();
    await expect(sender.send(aWebhook(partner.url))).rejects.toThrow("closed");
  });

  it("closing waits for the running attempt", async () => {
    const release = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const partner = await aPartnerServer(async (_, response) => {
      arrived.resolve();
      await release.promise;
      response.end();
    });
    const sender = webhookSender({ allowLocal: true });
    const outcome = sender.send(aWebhook(partner.url));
    await arrived.promise;
    const closed = sender.close();
    release.resolve();
    await closed;
    expect(await outcome).toMatchObject({ kind: "delivered" });
  });
});

describe("a challenge", () => {
  const respondingWith = (body: string, code = 200) =>
    aPartnerServer((_, response) => response.writeHead(code).end(body));

  it.each([
    ["the nonce", "n-1", { kind: "delivered", status: 200 }],
    ["the nonce on a line of its own", "n-1\n", { kind: "delivered", status: 200 }],
    ["something else", "noted", { kind: "failed", reason: "challenge" }],
    ["the nonce in a longer text", "n-1 and more", { kind: "failed", reason: "challenge" }],
    ["more than 1 KiB", `${" ".repeat(1_100)}n-1`, { kind: "failed", reason: "challenge" }],
  ])("is met by %s alone", async (_, body, outcome) => {
    const partner = await respondingWith(body);
    expect(await aSender().challenge(aWebhook(partner.url), "n-1")).toMatchObject(outcome);
  });

  it.each([400, 302])("is not met by %i", async (code) => {
    const partner = await respondingWith("n-1", code);
    expect(await aSender().challenge(aWebhook(partner.url), "n-1")).toMatchObject({ kind: "failed", status: code });
  });
});
