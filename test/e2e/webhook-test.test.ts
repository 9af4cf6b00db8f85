import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyWebhook } from "../../clients/partners/index.ts";
import type { EventPageObject } from "../../shared/contracts/events/event-page.ts";
import { partnerFor } from "../support/partner.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const { headers, partner, refused, send } = partnerFor("webhook test");

interface Tested {
  readonly outcome: string;
  readonly statusCode?: number;
  readonly ms: number;
}
const test = (body?: object) => send<Tested>("POST", "/webhook-test", body);

let server: Awaited<ReturnType<typeof startWebhookServer>>;
let respond: () => number | Promise<number> = () => 204;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret, () => respond());
});
afterAll(() => server.close());

describe("a test of webhooks", () => {
  it("arrives once, signed, and is not in the feed", async () => {
    const tested = await test({ url: server.url });
    expect(tested).toMatchObject({ status: 200, body: { outcome: "delivered", statusCode: 204 } });
    const [received, ...more] = server.received; // the server verifies with the library of Standard Webhooks
    expect([more, server.unverified]).toEqual([[], []]);
    const event = verifyWebhook(received?.body ?? "", received?.headers ?? {}, partner.webhookSecret);
    expect(event).toMatchObject({ id: received?.webhookId, type: "webhook.test", data: {} });
    expect(await send<EventPageObject>("GET", "/events")).toMatchObject({ status: 200, body: { events: [] } });
  });

  it.each([
    [302, "status"],
    [410, "gone"],
    [500, "status"],
  ])("says that the server responded %i", async (status, outcome) => {
    respond = () => status;
    expect(await test({ url: server.url })).toMatchObject({ status: 200, body: { outcome, statusCode: status } });
  });

  it("says that a server hangs, within 5 s", async () => {
    respond = () => new Promise(() => {});
    const began = performance.now();
    const { status, body } = await test({ url: server.url });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect({ status, body }).toEqual({ status: 200, body: { outcome: "time-out", ms: expect.any(Number) } });
  });

  it("says that a name is not known", async () => {
    const tested = await test({ url: "https://shop.invalid/webhooks" });
    expect(tested).toMatchObject({ status: 200, body: { outcome: "connection" } });
  });

  it("is refused without an address, with and without a body", async () => {
    const { "Content-Type": _, ...bare } = headers;
    const expected = { status: 409, body: { code: "no_webhook_url" } };
    expect(await refused("POST", "/webhook-test", {})).toMatchObject(expected);
    expect(await refused("POST", "/webhook-test", undefined, bare)).toMatchObject(expected);
  });

  it("is refused for a private address", async () => {
    const errors = [{ field: "url", code: "unsafe_url" }];
    expect(await refused("POST", "/webhook-test", { url: "https://10.0.0.1/" })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors },
    });
  });

  it("is refused after ten in an hour, until the next hour", async () => {
    const url = "https://shop.invalid/webhooks";
    for (let tests = 0; tests < 20; tests++) {
      // the hour may end meanwhile
      const { status, headers: answered, body } = await refused("POST", "/webhook-test", { url });
      if (status === 200) continue;
      expect({ status, code: body.code }).toEqual({ status: 429, code: "rate_limited" });
      const seconds = Number(answered.get("retry-after"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(3_600);
      return;
    }
    throw new Error("no test was refused");
  });
});
