import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isReplay, partnerFor } from "../support/partner.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const { partner, cancel, capture, onAutopilot, pay, refused, request, silent, status, timeline, until } =
  partnerFor("cancelling");
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

/** A payment on its way to the silent terminal. */
async function aPayment(more: Record<string, unknown> = {}) {
  await silent.online();
  const body = request({ responseWebhookUrl: server.url, ...more });
  expect(await pay(body)).toMatchObject({ status: 202 });
  return body;
}

/** A payment that the autopilot has brought to this state. */
async function anEnded(state: string, more: Record<string, unknown> = {}) {
  const body = onAutopilot({ responseWebhookUrl: server.url, ...more });
  expect(await pay(body)).toMatchObject({ status: 202 });
  await until(body.sessionID, state);
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

  it("gets the same response when it is repeated", async () => {
    const body = await aPayment();
    await cancel(body);
    const again = await cancel(body);
    expect(again).toMatchObject({ status: 200, body: { status: "cancelled", sequence: 2 } });
    expect(isReplay(again)).toBe(true);
  });
});

describe("a cancel after the terminal has fetched the payment", () => {
  it.each(["fetched", "accepted"])(
    "(%s) waits for the terminal, and takes effect when the terminal obeys",
    async (progress) => {
      const body = await aPayment();
      const message = await silent.reach("payment", body.sessionID);
      if (progress === "accepted") await silent.sendReport(message, "accepted");

      expect(await cancel(body)).toMatchObject({
        status: 202,
        body: { status: "cancelRequested", statusReason: "cancelledByPartner", final: false },
      });
      const again = await cancel(body);
      expect(again).toMatchObject({ status: 202, body: { status: "cancelRequested" } });
      expect(isReplay(again)).toBe(true);

      await silent.sendReport(
        await silent.reach("cancel", body.sessionID),
        progress === "accepted" ? "cancelled" : "notStarted",
      );
      const delivered = await server.until("payment.cancelled", body.sessionID);
      expect(delivered.event.data).toMatchObject({
        status: "cancelled",
        statusReason: "cancelledByPartner",
        final: true,
      });
      const late = await cancel(body);
      expect(late).toMatchObject({ status: 202, body: { status: "cancelled" } });
      expect(isReplay(late)).toBe(true);
    },
  );

  it("has no effect when the card was declined first", async () => {
    const body = await aPayment();
    const message = await silent.begin(body.sessionID);
    await cancel(body);
    await silent.sendReport(message, "declined", { detail: "insufficient funds" });
    expect(await until(body.sessionID, "declined")).toMatchObject({ final: true, statusDetail: "insufficient funds" });
  });

  it("comes too late for a card that is being charged: the late approval is voided", async () => {
    const body = await aPayment();
    const message = await silent.begin(body.sessionID);
    await cancel(body);
    await silent.sendReport(message, "authorized");
    expect(await until(body.sessionID, "voidRequested")).toMatchObject({ statusReason: "lateApproval", final: false });
    const voiding = await silent.reach("void", body.sessionID);
    expect(voiding).toMatchObject({ amount: 125.5, currency: "SEK" });
    await silent.sendReport(voiding, "voided");
    const delivered = await server.until("payment.voided", body.sessionID);
    expect(delivered.event.data).toMatchObject({
      final: true,
      statusReason: "lateApproval",
      amounts: { authorized: 0, captured: 0 },
      charges: [{ amount: 125.5, status: "reversed" }],
    });
  });

  it.each([
    ["kept", { lateApproval: "keep" }, "authorized", 0],
    ["kept and captured", { lateApproval: "keep", captureMode: "automatic" }, "captured", 125.5],
  ])(
    "comes too late for a card that is being charged: the late approval is %s if the request says so",
    async (...row) => {
      const [, more, state, captured] = row;
      const body = await aPayment(more);
      const message = await silent.begin(body.sessionID);
      await cancel(body);
      await silent.sendReport(message, "authorized");
      const delivered = await server.until(`payment.${state}`, body.sessionID);
      expect(delivered.event.data).toMatchObject({ status: state, amounts: { authorized: 125.5, captured } });
    },
  );

  it("comes too late for a card on the autopilot's terminal, too", async () => {
    const body = onAutopilot({ totalAmountInclVat: 100.09 });
    await pay(body);
    await until(body.sessionID, "inProgress");
    expect(await cancel(body)).toMatchObject({ status: 202, body: { status: "cancelRequested" } });
    expect(await until(body.sessionID, "voided")).toMatchObject({ statusReason: "lateApproval" });
  });
});

describe("a cancel of an authorization", () => {
  it("voids it, and a repeated cancel changes nothing", async () => {
    const body = await anEnded("authorized");
    expect(await cancel(body)).toMatchObject({ status: 202, body: { status: "voidRequested", final: false } });
    expect(await until(body.sessionID, "voided")).toMatchObject({
      final: true,
      statusReason: "cancelledByPartner",
      amounts: { authorized: 125.5, captured: 0 },
    });
    const again = await cancel(body);
    expect(again).toMatchObject({ status: 202, body: { status: "voided" } });
    expect(isReplay(again)).toBe(true);
  });

  it("whose void fails is tried again, and the payment can never be captured", async () => {
    const body = await anEnded("authorized", { totalAmountInclVat: 100.13 });
    await cancel(body);
    const eventsOf = async () => (await timeline(body.sessionID)).entries.map(({ event }) => event);
    await expect.poll(eventsOf).toContain("voidFailed");
    expect(await capture(body)).toMatchObject({
      status: 409,
      body: { code: "invalid_state", currentStatus: "voidRequested" },
    });
    const delivered = await server.until("payment.voided", body.sessionID);
    expect(delivered.event.data).toMatchObject({
      final: true,
      statusReason: "cancelledByPartner",
      charges: [{ amount: 100.13, status: "voided" }],
    });
    expect((await eventsOf()).slice(-4)).toEqual(["cancel", "voidFailed", "reversalOverdue", "voided"]);
    expect(server.types(body.sessionID)).toEqual(["payment.inProgress", "payment.authorized", "payment.voided"]);
  });
});

describe("a cancel of a payment in doubt", () => {
  const { cancel, pay, request, silent, until } = partnerFor("cancelling in doubt");

  it("is kept, sent to the terminal, and takes effect when the terminal reports it", async () => {
    await silent.online();
    const body = request();
    await pay(body);
    await silent.reach("payment", body.sessionID);
    await until(body.sessionID, "reconciling");

    expect(await cancel(body)).toMatchObject({ status: 202, body: { status: "reconciling", final: false } });
    const again = await cancel(body);
    expect(again).toMatchObject({ status: 202, body: { status: "reconciling" } });
    expect(isReplay(again)).toBe(true);

    await silent.sendReport(await silent.reach("statusQuery", body.sessionID), "stillRunning");
    await until(body.sessionID, "cancelRequested");
    await silent.sendReport(await silent.reach("cancel", body.sessionID), "cancelled");
    expect(await until(body.sessionID, "cancelled")).toMatchObject({ statusReason: "cancelledByPartner" });
  });
});

describe("a refused cancel", () => {
  it.each([
    ["captured", { captureMode: "automatic" }, /refund/],
    ["declined", { totalAmountInclVat: 100.01 }, undefined],
    ["failed", { totalAmountInclVat: 100.05 }, undefined],
  ])("(of a payment that is %s) is 409 with the payment's status", async (state, more, detail) => {
    const body = await anEnded(state, more);
    const answer = await cancel(body);
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "invalid_state", currentStatus: state, retryable: false },
    });
    if (detail) expect(answer.body).toMatchObject({ detail: expect.stringMatching(detail) as string });
    await until(body.sessionID, state);
  });

  it.each([
    ["another terminal of the partner's", partner.terminals.autopilot.pointOfServiceID],
    ["a terminal that is not there", randomUUID()],
  ])("(on %s) is 422, and the payment continues", async (_, another) => {
    const { sessionID, pointOfServiceID } = await aPayment();
    expect(await cancel({ sessionID, pointOfServiceID: another })).toMatchObject({
      status: 422,
      body: { code: "terminal_mismatch" },
    });
    await until(sessionID, "pending");
    await cancel({ sessionID, pointOfServiceID });
  });

  it("(without its fields) is 422 and names them", async () => {
    const answer = await refused("POST", "/pos-payment-cancel", { msgType: "paymentRequest" });
    expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(answer.body.errors?.map((e) => e.field)).toEqual(["sessionID", "pointOfServiceID", "msgType"]);
  });
});
