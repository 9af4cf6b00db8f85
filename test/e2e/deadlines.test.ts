import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partnerFor } from "../support/partner.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const { capture, onAutopilot, partner, pay, read, refused, request, send, silent, status, until } =
  partnerFor("deadlines");
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

const aPayment = async () => {
  await silent.online();
  const body = request({ responseWebhookUrl: server.url });
  expect(await pay(body)).toMatchObject({ status: 202 });
  return body.sessionID;
};

describe("a deadline without an answer", () => {
  it("sends a status query, and frees a terminal that reports the outcome only then", async () => {
    const body = onAutopilot({ totalAmountInclVat: 100.08 });
    expect(await pay(body)).toMatchObject({ status: 202 });
    await until(body.sessionID, "reconciling");
    await until(body.sessionID, "declined");
    await expect.poll(() => status(body.pointOfServiceID)).toMatchObject({ canAcceptPayment: true });
  });

  it("expires the payment with certainty when the terminal never fetched the message, and frees the terminal", async () => {
    const sessionID = await aPayment();
    expect(await until(sessionID, "expired")).toMatchObject({ final: true, statusReason: "terminalUnreachable" });
    await server.until("payment.expired", sessionID);
    expect(await silent.client.next(0)).toBeUndefined();
    const { pointOfServiceID } = partner.terminals.silent;
    const status = await send<{ canAcceptPayment: boolean }>("GET", `/pointOfServices/${pointOfServiceID}/pos-status`);
    expect(status.body.canAcceptPayment).toBe(true);
  });

  it("leaves a fetched payment reconciling with a status query, and the terminal busy until it answers", async () => {
    const sessionID = await aPayment();
    await silent.next();
    await until(sessionID, "reconciling");
    expect(await refused("POST", "/pos-payment-request", request())).toMatchObject({
      status: 409,
      body: { code: "terminal_busy", retryable: true },
    });
    const query = await silent.next(); // instead of the payment, which the terminal did not answer
    expect(query).toMatchObject({ type: "statusQuery", sessionID });
    await silent.sendReport(query, "notStarted");
    expect(await until(sessionID, "expired")).toMatchObject({ final: true });
  });

  it("at expiresAt cancels the payment, which expires when the terminal obeys", async () => {
    const sessionID = await aPayment();
    await silent.sendReport(await silent.next(), "accepted");
    await until(sessionID, "cancelRequested");
    const cancel = await silent.next();
    expect(cancel).toMatchObject({ type: "cancel", sessionID });
    await silent.sendReport(cancel, "cancelled");
    expect(await until(sessionID, "expired")).toMatchObject({ statusReason: "deadlinePassed" });
  });

  it("after that cancel leaves the payment reconciling, and a late approval is voided", async () => {
    const sessionID = await aPayment();
    const message = await silent.next();
    await silent.sendReport(message, "accepted");
    await until(sessionID, "reconciling");
    await silent.sendReport(message, "authorized");
    expect(await until(sessionID, "voidRequested")).toMatchObject({ statusReason: "lateApproval" });
    for (let done = false; !done;) {
      const next = await silent.next();
      done = next.type === "void";
      await silent.sendReport(next, done ? "voided" : "acknowledged");
    }
    expect(await until(sessionID, "voided")).toMatchObject({
      final: true,
      amounts: { authorized: 0, captured: 0 },
      charges: [{ amount: 125.5, status: "reversed" }],
    });
  });

  it("of the capture voids the authorization, unless the terminal captured it after it had reported a failure", async () => {
    const captured = await aPayment();
    await silent.approve(captured);
    await capture({ sessionID: captured, pointOfServiceID: partner.terminals.silent.pointOfServiceID });
    const capturing = await silent.next();
    await silent.sendReport(capturing, "captureFailed");
    expect(await read(captured)).toMatchObject({ status: "authorized", statusReason: "captureFailed" });
    await silent.sendReport(capturing, "captured");
    const delivered = await server.until("payment.captured", captured);
    expect(delivered.event.data).toMatchObject({ status: "captured", amounts: { captured: 125.5 } });

    const sessionID = await aPayment();
    await silent.approve(sessionID);
    expect((await read(sessionID)).captureBefore).toBeTruthy();
    await expect
      .poll(() => read(sessionID), { timeout: 60_000 })
      .toMatchObject({ status: "voidRequested", statusReason: "notCaptured" });
    const voiding = await silent.next(); // the only one, although the captured payment's deadline has passed, too
    expect(voiding).toMatchObject({ type: "void", sessionID, amount: 125.5 });
    await silent.sendReport(voiding, "voided");
    await until(sessionID, "voided");
    expect(await read(captured)).toEqual(delivered.event.data);
  });
});
