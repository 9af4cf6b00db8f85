import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TimelineObject } from "../../shared/contracts/objects/timeline.ts";
import { partnerFor } from "../support/partner.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const { partner, pay, read, refused, request, send, silent, until } = partnerFor("requests");
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
  await silent.online();
});
afterAll(async () => server.close());

/** On the autopilot, which acts on the amount's minor digits. */
const onAutopilot = (more: Record<string, unknown> = {}) =>
  request({ pointOfServiceID: partner.terminals.autopilot.pointOfServiceID, responseWebhookUrl: server.url, ...more });

describe("a payment request in the specification's own shape", () => {
  it("becomes authorized through the terminal, with a signed webhook for each change by the terminal", async () => {
    const body = onAutopilot();

    const accepted = await pay(body);
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get("content-type")).toBe("application/json");
    expect(accepted.headers.get("x-request-id")).toBeTruthy();
    expect(accepted.body).toMatchObject({
      msgType: "paymentResponse",
      sessionID: body.sessionID,
      _id: body._id,
      merchantID: body.merchantID,
      pointOfServiceID: body.pointOfServiceID,
      status: "pending",
      final: false,
      currency: "SEK",
      totalAmountInclVat: 125.5,
      totalVatAmount: 25.1,
      merchantReferences: body.merchantReferences,
      amounts: { requested: 125.5, authorized: 0, captured: 0, refunded: 0 },
      sequence: 1,
    });

    const delivered = await server.until("payment.authorized", body.sessionID);
    expect(delivered.event).toMatchObject({
      sequence: 3,
      data: { status: "authorized", amounts: { authorized: 125.5, captured: 0 }, card: { last4: "4242" } },
    });
    await server.until("payment.inProgress", body.sessionID);
    expect(new Set(server.received.map((r) => r.webhookId)).size).toBe(server.received.length);
    expect(server.unverified).toEqual([]);
    expect(await read(body.sessionID)).toEqual(delivered.event.data);
  });

  it("has one trace from the request through the terminal to the webhook", async () => {
    const body = onAutopilot();
    const traceparent = `00-${randomUUID().replaceAll("-", "")}-00f067aa0ba902b7-01`;
    await send("POST", "/pos-payment-request", body, { traceparent });
    const delivered = await server.until("payment.authorized", body.sessionID);
    expect(delivered.headers["traceparent"]).toBe(traceparent);
  });

  it("is captured at once with captureMode automatic", async () => {
    const body = onAutopilot({ captureMode: "automatic" });
    await pay(body);
    const payment = await until(body.sessionID, "captured");
    expect(payment).toMatchObject({ final: true, amounts: { authorized: 125.5, captured: 125.5 } });
  });

  it.each([
    [100.01, "declined", "terminalReported", "insufficient funds"],
    [100.04, "cancelled", "cancelledByCustomer", "cancelled by the customer"],
    [100.05, "failed", "terminalReported", "card reader error"],
  ])(
    "of %d SEK ends as %s by the autopilot's script",
    async (totalAmountInclVat, status, statusReason, statusDetail) => {
      const body = onAutopilot({ totalAmountInclVat });
      await pay(body);
      expect(await until(body.sessionID, status)).toMatchObject({ final: true, statusReason, statusDetail });
    },
  );

  it("is voided when the terminal approves another amount", async () => {
    const body = onAutopilot({ totalAmountInclVat: 100.1 });
    await pay(body);
    expect(await until(body.sessionID, "voided")).toMatchObject({
      statusReason: "amountMismatch",
      amounts: { captured: 0 },
    });
  });
});

describe("a repeated payment request", () => {
  it("gets the payment's present state, marked as a replay", async () => {
    const body = onAutopilot();
    await pay(body);
    await until(body.sessionID, "authorized");

    const sessionID = body.sessionID.toUpperCase();
    const again = await pay({ ...body, sessionID, _id: randomUUID(), responseWebhookUrl: `${server.url}/other` });

    expect(again.status).toBe(202);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toMatchObject({ sessionID: body.sessionID, _id: body._id, status: "authorized" });
    const { body: timeline } = await send<TimelineObject>("GET", `/pos-payment/${body.sessionID}/timeline`);
    expect(timeline.responseWebhookUrl).toBe(server.url);
  });

  it("is refused with other contents", async () => {
    const body = onAutopilot();
    await pay(body);
    const other = await refused("POST", "/pos-payment-request", { ...body, totalAmountInclVat: 125.6 });
    expect(other).toMatchObject({ status: 409, body: { code: "session_conflict", retryable: false } });
  });
});

describe("a read", () => {
  it("of a payment that does not exist, is another partner's or has no identifier is the same 404", async () => {
    const answers = await Promise.all([randomUUID(), "nonsense"].map((id) => refused("GET", `/pos-payment/${id}`)));
    for (const { status, body } of answers)
      expect({ status, code: body.code }).toEqual({ status: 404, code: "payment_not_found" });
  });

  it("of a terminal's status shows whether it can take a payment", async () => {
    const { pointOfServiceID } = partner.terminals.autopilot;
    const status = await send<Record<string, unknown>>("GET", `/pointOfServices/${pointOfServiceID}/pos-status`);
    expect(status).toMatchObject({ status: 200, body: { pointOfServiceID, online: true } });
    const unknown = await refused("GET", `/pointOfServices/${randomUUID()}/pos-status`);
    expect(unknown).toMatchObject({ status: 404, body: { code: "terminal_not_found" } });
  });
});
