import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isReplay, partnerFor } from "../support/partner.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const { partner, cancel, onAutopilot, pay, refused, request, silent, status, until } = partnerFor("cancelling");
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

/** A payment on its way to the silent terminal. */
async function aPayment() {
  await silent.online();
  const body = request({ responseWebhookUrl: server.url });
  expect(await pay(body)).toMatchObject({ status: 202 });
  return body;
}

describe("a cancel before the terminal has fetched the payment", () => {
  it("takes effect at once, and the terminal never gets it", async () => {
    const body = await aPayment();
    const cancelled = await cancel(body);
    expect(cancelled).toMatchObject({
      status: 200,
      body: { status: "cancelled", statusReason: "cancelledByPartner", final: true },
    });
    expect(await silent.client.next(0)).toBeUndefined();
    expect(await status(body.pointOfServiceID)).toMatchObject({ canAcceptPayment: true });
    const again = await cancel(body);
    expect(again).toMatchObject({ status: 200, body: { status: "cancelled", sequence: 2 } });
    expect(isReplay(again)).toBe(true);
  });

  it("takes effect although the request never came: the request that comes late is refused", async () => {
    const body = request();
    const cancelOf = { sessionID: body.sessionID, pointOfServiceID: body.pointOfServiceID, msgType: "paymentCancel" };
    for (let times = 0; times < 2; times++)
      expect(await refused("POST", "/pos-payment-cancel", cancelOf)).toMatchObject({
        status: 404,
        body: { code: "payment_never_requested", cancelled: true, retryable: false },
      });
    expect(await refused("POST", "/pos-payment-request", body)).toMatchObject({ body: { code: "session_conflict" } });
  });
});

describe("a cancel after the terminal has fetched the payment", () => {
  it("waits for the terminal, and takes effect when the terminal obeys", async () => {
    const body = await aPayment();
    await silent.begin(body.sessionID);
    expect(await cancel(body)).toMatchObject({
      status: 202,
      body: { status: "cancelRequested", statusReason: "cancelledByPartner", final: false },
    });
    await silent.sendReport(await silent.reach("cancel", body.sessionID), "cancelled");
    const delivered = await server.until("payment.cancelled", body.sessionID);
    expect(delivered.event.data).toMatchObject({ statusReason: "cancelledByPartner", final: true });
    const late = await cancel(body);
    expect(late).toMatchObject({ status: 202, body: { status: "cancelled" } });
    expect(isReplay(late)).toBe(true);
  });

  it("comes too late for a card that is being charged: the late approval is voided", async () => {
    const body = onAutopilot({ totalAmountInclVat: 100.09 });
    await pay(body);
    await until(body.sessionID, "inProgress");
    expect(await cancel(body)).toMatchObject({ status: 202, body: { status: "cancelRequested" } });
    expect(await until(body.sessionID, "voided")).toMatchObject({ statusReason: "lateApproval" });
  });
});

describe("a refused cancel", () => {
  it("(of a payment that is captured) is 409 with the payment's status", async () => {
    const body = onAutopilot({ captureMode: "automatic" });
    await pay(body);
    await until(body.sessionID, "captured");
    expect(await cancel(body)).toMatchObject({
      status: 409,
      body: { code: "invalid_state", currentStatus: "captured", retryable: false },
    });
  });

  it("(on another terminal) is 422, and the payment continues", async () => {
    const { sessionID, pointOfServiceID } = await aPayment();
    expect(await cancel({ sessionID, pointOfServiceID: randomUUID() })).toMatchObject({
      status: 422,
      body: { code: "terminal_mismatch" },
    });
    await until(sessionID, "pending");
    await cancel({ sessionID, pointOfServiceID });
  });
});
