import { once } from "node:events";
import { setInterval as every } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { webhookSender, type SignedWebhook, type WebhookSenderOptions } from "../../../shared/webhooks/sender.ts";
import { aPartnerServer, aRawServer } from "./partner-server.ts";
import { selfSigned } from "./self-signed.ts";

const now = Date.parse("2026-11-21T10:00:00.000Z");

function aSender(options: Partial<WebhookSenderOptions> = {}) {
  const sender = webhookSender({ allowLocal: true, now: () => now, ...options });
  onTestFinished(() => sender.close());
  return sender;
}

const aWebhook = (url: string): SignedWebhook => ({
  url,
  id: "evt_1",
  timestamp: 1_795_255_200,
  body: '{"type":"payment.authorized","data":{"merchantName":"Café"}}',
  signature: "v1,c2lnbmF0dXJl",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
});

const status = (code: number, headers: Record<string, string> = {}) =>
  aPartnerServer((_, response) => response.writeHead(code, headers).end("noted"));

describe("what the partner's server receives", () => {
  it("is a POST of the frozen body with the Standard Webhooks headers", async () => {
    const partner = await status(200);
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

  it("has no traceparent when nothing traced it", async () => {
    const partner = await status(204);
    const { traceparent: _, ...untraced } = aWebhook(partner.url);
    expect(await aSender().send(untraced)).toMatchObject({ kind: "delivered", status: 204 });
    expect(partner.received[0]?.headers).not.toHaveProperty("traceparent");
  });

  it("comes over one connection when webhooks follow each other", async () => {
    const partner = await status(200);
    const sender = aSender();
    for (let i = 0; i < 3; i++) await sender.send(aWebhook(partner.url));
    expect(partner.received).toHaveLength(3);
    expect(partner.connections()).toBe(1);
  });

  it("arrives at the name localhost on a local cloud", async () => {
    const partner = await status(200);
    const outcome = await aSender().send(aWebhook(`http://localhost:${partner.port}/`));
    expect(outcome).toMatchObject({ kind: "delivered" });
  });
});

describe("what the partner's server answers", () => {
  it("410 ends the deliveries", async () => {
    const partner = await status(410);
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({ kind: "gone", status: 410 });
  });

  it.each([300, 304, 400, 404, 500, 502])("%i is a failure", async (code) => {
    const partner = await status(code);
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({
      kind: "failed",
      status: code,
      reason: "status",
    });
  });

  it.each([301, 302, 303, 307, 308])("%i is a failure, and the redirect is not followed", async (code) => {
    const elsewhere = await status(200);
    const partner = await status(code, { location: elsewhere.url });
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
  ])("%i with Retry-After %s says when to come back", async (code, retryAfter) => {
    const partner = await status(code, { "retry-after": retryAfter });
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({ status: code, retryAfterSeconds: 120 });
  });

  it("500 with Retry-After does not", async () => {
    const partner = await status(500, { "retry-after": "120" });
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({ status: 500, retryAfterSeconds: undefined });
  });

  it("a body without an end is cut off, and the status stands", async () => {
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

  it("a body that drips is cut off at the deadline, and the status stands", async () => {
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

describe("trouble on the way", () => {
  it("is a time-out when the server never answers", async () => {
    const partner = await aPartnerServer(() => undefined);
    expect(await aSender({ timeoutMs: 200 }).send(aWebhook(partner.url))).toMatchObject({
      kind: "failed",
      reason: "time-out",
    });
  });

  it("is a time-out when the answer's headers drip in for ever", async () => {
    const cut = Promise.withResolvers<void>();
    const url = await aRawServer(async (socket) => {
      socket.on("close", () => cut.resolve()).resume();
      socket.write("HTTP/1.1 200 OK\r\n");
      for await (const _ of every(10)) {
        if (socket.destroyed) return;
        socket.write("x-drip: 1\r\n");
      }
    });
    expect(await aSender({ timeoutMs: 300 }).send(aWebhook(url))).toMatchObject({ kind: "failed", reason: "time-out" });
    await cut.promise;
  });

  it("is a connection failure when nobody listens", async () => {
    const url = await aRawServer((socket) => socket.destroy());
    expect(await aSender().send(aWebhook(url))).toMatchObject({ kind: "failed", reason: "connection" });
    expect(await aSender().send(aWebhook("http://127.0.0.1:1/"))).toMatchObject({ reason: "connection" });
  });

  it("is a connection failure when the answer is not HTTP", async () => {
    const url = await aRawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    expect(await aSender().send(aWebhook(url))).toMatchObject({ kind: "failed", reason: "connection" });
  });

  it("is a connection failure when the name is not known", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" }));
    const outcome = await aSender({ resolve }).send(aWebhook("https://nobody.example.com/"));
    expect(outcome).toMatchObject({ kind: "failed", reason: "connection" });
  });

  it("is a time-out when nobody answers for the name", async () => {
    const sender = aSender({ timeoutMs: 200, resolve: () => new Promise(() => undefined) });
    const outcome = await sender.send(aWebhook("https://slow.example.com/"));
    expect(outcome).toMatchObject({ kind: "failed", reason: "time-out" });
  });

  it("at one server holds up nobody else's webhooks", async () => {
    const release = Promise.withResolvers<void>();
    const slow = await aPartnerServer(async (_, response) => {
      await release.promise;
      response.end();
    });
    const quick = await status(200);
    const sender = aSender();
    const waiting = Array.from({ length: 20 }, () => sender.send(aWebhook(slow.url)));
    expect(await sender.send(aWebhook(quick.url))).toMatchObject({ kind: "delivered" });
    release.resolve();
    const outcomes = await Promise.all(waiting);
    expect(outcomes.filter((outcome) => outcome.kind === "delivered")).toHaveLength(20);
    expect(slow.connections()).toBeLessThanOrEqual(6);
  });
});

describe("TLS", () => {
  it("delivers to a server whose certificate is trusted", async () => {
    const identity = selfSigned();
    const trusted = getCACertificates("default");
    onTestFinished(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([...trusted, identity.cert]);
    const partner = await aPartnerServer((_, response) => response.end(), identity);
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({ kind: "delivered", status: 200 });
  });

  it("sends nothing to a server whose certificate nobody vouches for", async () => {
    const partner = await aPartnerServer((_, response) => response.end(), selfSigned());
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject({ kind: "failed", reason: "tls" });
    expect(partner.received).toEqual([]);
  });

  it("fails when the server does not speak it", async () => {
    const { port } = await status(200);
    const outcome = await aSender().send(aWebhook(`https://127.0.0.1:${port}/`));
    expect(outcome).toMatchObject({ kind: "failed", reason: "tls" });
  });
});

describe("addresses that are refused", () => {
  const refused = { kind: "failed", reason: "refused-address" };

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["a private network", ["10.0.0.4"]],
    ["the machine's metadata", ["169.254.169.254"]],
    ["a private network among public ones", ["8.8.8.8", "2606:4700::1111", "10.0.0.4"]],
    ["something that is no address", ["intranet"]],
    ["nothing", []],
  ])("a name that resolves to %s", async (_, addresses) => {
    const outcome = await aSender({ resolve: async () => addresses }).send(aWebhook("https://partner.example.com/"));
    expect(outcome).toMatchObject(refused);
  });

  it("a name is asked for anew by every connection", async () => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return ["10.0.0.4"];
    };
    const sender = aSender({ resolve });
    await sender.send(aWebhook("https://partner.example.com/"));
    await sender.send(aWebhook("https://partner.example.com/"));
    expect(asked).toEqual(["partner.example.com", "partner.example.com"]);
  });

  it("this machine, outside a local cloud", async () => {
    const partner = await status(200);
    expect(await aSender({ allowLocal: false }).send(aWebhook(partner.url))).toMatchObject(refused);
    expect(partner.connections()).toBe(0);
  });

  it.each(["https://10.0.0.4/", "https://0x7f.1/", "https://partner.example.com:8443/", "nonsense"])(
    "%s",
    async (url) => {
      expect(await aSender({ allowLocal: false }).send(aWebhook(url))).toMatchObject(refused);
    },
  );
});

describe("mistakes of the caller", () => {
  it("an identifier that fits into no header throws instead of counting as an attempt", async () => {
    const partner = await status(200);
    await expect(aSender().send({ ...aWebhook(partner.url), id: "a\r\nb" })).rejects.toThrow("invalid");
  });

  it("sending after the sender was closed throws", async () => {
    const partner = await status(200);
    const sender = webhookSender({ allowLocal: true });
    await sender.close();
    await expect(sender.send(aWebhook(partner.url))).rejects.toThrow();
  });

  it("closing waits for the attempt that runs", async () => {
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
