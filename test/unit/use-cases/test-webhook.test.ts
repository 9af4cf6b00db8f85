import { describe, expect, it } from "vitest";
import { webhookUrlCheck } from "../../../shared/adapters/webhooks/http-webhooks.ts";
import type { WebhookHost } from "../../../shared/domain/webhook-host.ts";
import type { WebhookResponse } from "../../../shared/ports/webhooks.ts";
import { testWebhook } from "../../../shared/use-cases/webhooks/test-webhook.ts";
import { aPlatform, callBy, partnerId } from "../../support/platform.ts";
import { readEvents } from "../../support/read-events.ts";

const own = "https://partner.example/";
const elsewhere = "https://elsewhere.example/events";
const provenAt = "2026-11-01T10:00:00.000Z";

/** A platform at ten o'clock, whose partner sends test events. */
async function aTester() {
  const platform = await aPlatform();
  const { deps } = platform;
  const testing = { ...deps, checkWebhookUrl: webhookUrlCheck({ allowLoopback: false }) };
  return {
    ...platform,
    test: (url?: string, now = deps.clock.now) => testWebhook(testing, { ...callBy(deps), now }, url),
    respond(response: WebhookResponse | "postponed") {
      deps.webhooks.send = async () => response;
    },
    async change(more: { readonly webhookUrl?: string | undefined; readonly webhookHosts?: WebhookHost[] }) {
      const stored = await deps.partners.read(partnerId);
      if (stored) await deps.partners.save({ ...stored.partner, ...more }, stored.etag);
    },
  };
}
const refused = (seconds: number) => ({
  ok: false,
  error: { code: "rate_limited", retryAfterSeconds: seconds },
});

describe("a test event", () => {
  it("goes to the partner's own address or to one that it names, each time under another identifier", async () => {
    const { test, webhooksSent, deps, queued } = await aTester();
    expect(await test()).toEqual({ ok: true, value: { outcome: "delivered", status: 204, ms: 1 } });
    await test(elsewhere);
    expect(webhooksSent).toMatchObject([{ url: own }, { url: elsewhere }]);
    for (const { id, at, body } of webhooksSent)
      expect(JSON.parse(body)).toEqual({
        id,
        type: "webhook.test",
        timestamp: at,
        sequence: 1,
        causedBy: "partner",
        keyID: "k1",
        data: {},
      });
    expect(webhooksSent[0]?.id).not.toBe(webhooksSent[1]?.id);
    expect(await readEvents(deps)).toMatchObject({ ok: true, value: { types: [] } });
    expect(queued).toEqual([]);
  });

  it.each<[WebhookResponse | "postponed", object]>([
    [
      { kind: "gone", status: 410, ms: 7 },
      { outcome: "gone", status: 410, ms: 7 },
    ],
    [
      { kind: "failed", reason: "tls", code: "CERT_HAS_EXPIRED", ms: 7 },
      { outcome: "tls", reason: "CERT_HAS_EXPIRED", ms: 7 },
    ],
    ["postponed", { outcome: "postponed", ms: 0 }],
  ])("has the outcome of its attempt: %j", async (response, value) => {
    const { test, respond } = await aTester();
    respond(response);
    expect(await test()).toMatchObject({ ok: true, value });
  });

  it("goes to no host that is not registered", async () => {
    const { test, change, webhooksSent } = await aTester();
    await change({ webhookHosts: [{ host: "elsewhere.example", url: elsewhere, provenAt }] });
    expect(await test()).toMatchObject({ ok: true, value: { outcome: "host-not-registered", ms: 0 } });
    const errors = [{ field: "url", code: "unsafe_url" }];
    expect(await test(`${own}events`)).toMatchObject({ error: { code: "validation_failed", errors } });
    expect(webhooksSent).toEqual([]);
    expect(await test(elsewhere)).toMatchObject({ value: { outcome: "delivered" } });
  });

  it("is refused without an address, and is not counted then", async () => {
    const { test, change, deps } = await aTester();
    await change({ webhookUrl: undefined });
    expect(await test()).toEqual({ ok: false, error: { code: "no_webhook_url" } });
    expect(await test("https://10.0.0.1/")).toMatchObject({ ok: false, error: { code: "validation_failed" } });
    expect(await deps.partners.webhookTests(partnerId)).toBeUndefined();
  });
});

describe("a partner", () => {
  it("sends ten test events in an hour, and the eleventh in the next one", async () => {
    const { test, pass, webhooksSent } = await aTester();
    for (let i = 0; i < 10; i++) expect(await test()).toMatchObject({ ok: true });
    expect(await test()).toEqual(refused(3_600));
    await pass(3_599.5);
    expect(await test()).toEqual(refused(1));
    expect(webhooksSent).toHaveLength(10);
    await pass(0.5);
    for (let i = 0; i < 10; i++) expect(await test()).toMatchObject({ ok: true });
    expect(await test(undefined, () => "2026-11-21T10:59:59.000Z")).toEqual(refused(3_601)); // an instance whose clock is behind
  });

  it.each([
    [9, 2],
    [0, 12],
  ])("that sent %i sends no more than ten, if it asks for %i at the same moment", async (before, atOnce) => {
    const { test, webhooksSent } = await aTester();
    for (let i = 0; i < before; i++) await test();
    const results = await Promise.all(Array.from({ length: atOnce }, () => test()));
    expect(results.filter(({ ok }) => ok)).toHaveLength(10 - before);
    expect(webhooksSent).toHaveLength(10);
  });
});
