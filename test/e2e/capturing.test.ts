import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isReplay, partnerFor } from "../support/partner.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const { partner, cancel, capture, onAutopilot, pay, request, silent, until } = partnerFor("capturing");
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

/** A payment of 125.50 SEK that the autopilot has approved. */
async function anAuthorized(more: Record<string, unknown> = {}) {
  const body = onAutopilot({ responseWebhookUrl: server.url, ...more });
  expect(await pay(body)).toMatchObject({ status: 202 });
  await until(body.sessionID, "authorized");
  return body;
}

describe("a capture", () => {
  it("takes the whole authorized amount, and sends a webhook", async () => {
    const body = await anAuthorized();
    expect(await capture(body)).toMatchObject({
      status: 202,
      body: { status: "captureRequested", final: false, amounts: { authorized: 125.5, captured: 0 } },
    });
    const delivered = await server.until("payment.captured", body.sessionID);
    expect(delivered.event.data).toMatchObject({
      status: "captured",
      final: true,
      amounts: { authorized: 125.5, captured: 125.5 },
    });
  });

  it("of a part lets the terminal capture only that part", async () => {
    await silent.online();
    const body = request();
    await pay(body);
    await silent.approve(body.sessionID);
    expect(await capture(body, { captureAmount: 100.25 })).toMatchObject({ status: 202 });
    const message = await silent.reach("capture", body.sessionID);
    expect(message).toMatchObject({ amount: 100.25, currency: "SEK" });
    await silent.sendReport(message, "captured");
    expect(await until(body.sessionID, "captured")).toMatchObject({
      amounts: { authorized: 125.5, captured: 100.25 },
    });
  });

  it.each([
    ["all", undefined],
    ["a part", 100],
  ])("of %s is replayed when it is repeated", async (_, captureAmount) => {
    const body = await anAuthorized();
    expect(isReplay(await capture(body, { captureAmount }))).toBe(false);
    expect(isReplay(await capture(body, { captureAmount }))).toBe(true);
    await until(body.sessionID, "captured");
    const late = await capture(body, { captureAmount });
    expect(late).toMatchObject({ status: 202, body: { status: "captured" } });
    expect(isReplay(late)).toBe(true);
  });

  it("of another amount is refused once a capture was requested", async () => {
    const body = await anAuthorized();
    await capture(body, { captureAmount: 100 });
    await until(body.sessionID, "captured");
    for (const captureAmount of [99.99, undefined])
      expect(await capture(body, { captureAmount })).toMatchObject({
        status: 409,
        body: { code: "invalid_state", currentStatus: "captured" },
      });
    expect(await until(body.sessionID, "captured")).toMatchObject({ amounts: { captured: 100 } });
  });

  it("of an amount outside the authorization is refused", async () => {
    const body = await anAuthorized();
    for (const captureAmount of [125.51, 0, -1, 1.234, "100"])
      expect(await capture(body, { captureAmount })).toMatchObject({
        status: 422,
        body: { code: "validation_failed", errors: [{ field: "captureAmount" }] },
      });
    await until(body.sessionID, "authorized");
  });

  it("is refused before there is an authorization", async () => {
    await silent.online();
    const body = request();
    await pay(body);
    expect(await capture(body)).toMatchObject({
      status: 409,
      body: { code: "invalid_state", currentStatus: "pending" },
    });
    await cancel(body);
    expect(await capture(body)).toMatchObject({ status: 409, body: { currentStatus: "cancelled" } });
  });

  it("is refused on another terminal", async () => {
    const { sessionID } = await anAuthorized();
    const { pointOfServiceID } = partner.terminals.silent;
    expect(await capture({ sessionID, pointOfServiceID })).toMatchObject({
      status: 422,
      body: { code: "terminal_mismatch" },
    });
  });

  it("leaves the payment authorized with a reason when it fails, and can be tried again", async () => {
    await silent.online();
    const body = request({ responseWebhookUrl: server.url });
    await pay(body);
    await silent.approve(body.sessionID);
    await capture(body);
    const first = await silent.reach("capture", body.sessionID);
    await silent.sendReport(first, "captureFailed", { detail: "host unreachable" });
    expect(await until(body.sessionID, "authorized")).toMatchObject({
      final: false,
      statusReason: "captureFailed",
      statusDetail: "host unreachable",
      amounts: { captured: 0 },
    });

    expect(isReplay(await capture(body))).toBe(false);
    await silent.sendReport(first, "captureFailed"); // the failure of the first try, sent again: it does not concern the second try
    await silent.sendReport(await silent.reach("capture", body.sessionID), "captured");
    const captured = await until(body.sessionID, "captured", "authorized");
    expect(captured).toMatchObject({ status: "captured", amounts: { captured: 125.5 } });
    expect(captured.statusReason).toBeUndefined();
  });

  it("can fail on the autopilot's terminal, too", async () => {
    const body = await anAuthorized({ totalAmountInclVat: 100.11 });
    await capture(body);
    expect(await until(body.sessionID, "authorized")).toMatchObject({ statusReason: "captureFailed" });
  });
});

describe("a capture without an answer", () => {
  it.concurrent("is withdrawn from a terminal that never fetched it: the payment is authorized as before", async () => {
    const { capture, pay, request, silent, until } = partnerFor("capturing unfetched");
    await silent.online();
    const body = request();
    await pay(body);
    await silent.approve(body.sessionID);
    await capture(body);
    expect(await until(body.sessionID, "authorized")).toMatchObject({ statusReason: "captureNotDelivered" });
    expect(await silent.client.next(0)).toBeUndefined();
  });

  it.concurrent("has an unknown outcome when the terminal fetched it, until the terminal answers a status query", async () => {
    const { partner, capture, pay, read, request, silent, until } = partnerFor("capturing unanswered");
    const server = await startWebhookServer(partner.webhookSecret);
    try {
      await silent.online();
      const body = request({ responseWebhookUrl: server.url });
      await pay(body);
      await silent.approve(body.sessionID);
      await capture(body);
      await silent.reach("capture", body.sessionID);
      const delivered = await server.until("payment.captureRequested", body.sessionID);
      expect(delivered.event.data).toMatchObject({
        status: "captureRequested",
        statusReason: "outcomeUnknown",
        final: false,
      });
      expect(await read(body.sessionID)).toEqual(delivered.event.data);
      await silent.sendReport(await silent.reach("statusQuery", body.sessionID), "captured");
      expect(await until(body.sessionID, "captured")).toMatchObject({ amounts: { captured: 125.5 } });
    } finally {
      await server.close();
    }
  });
});
